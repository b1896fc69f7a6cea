import torch
from torch import nn


class Embedder(nn.Module):
    def __init__(self, vocab=30, dim=8):
        super().__init__()
        self.table = nn.Embedding(vocab, dim)
        self.out = nn.Linear(dim, 4)

    def forward(self, ids):
        return self.out(self.table(ids).mean(1))


def publish(path):
    torch.manual_seed(41)
    model = Embedder().eval()
    torch.save(model.state_dict(), path)
    return model
