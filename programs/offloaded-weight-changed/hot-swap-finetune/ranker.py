import torch
from torch import nn

DEVICE_MAP = {"inp": "cpu", "hidden": "disk", "out": "disk"}


class Ranker(nn.Module):
    def __init__(self, dim=10, width=20):
        super().__init__()
        self.inp = nn.Linear(dim, width)
        self.hidden = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, docs):
        return self.out(torch.relu(self.hidden(torch.relu(self.inp(docs))))).squeeze(-1)


def write_weights(path, seed):
    torch.manual_seed(seed)
    torch.save(Ranker().state_dict(), path)
    return path
