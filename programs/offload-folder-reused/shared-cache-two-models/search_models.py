import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.words = nn.Embedding(40, dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, ids):
        return nn.functional.normalize(self.proj(self.words(ids).mean(1)), dim=-1)

    @classmethod
    def pretrained(cls):
        torch.manual_seed(11)
        return cls().eval()


class Reranker(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.words = nn.Embedding(40, dim)
        self.rnn = nn.Linear(dim, dim)
        self.score = nn.Linear(dim, 1)

    def forward(self, ids):
        return self.score(torch.tanh(self.rnn(self.words(ids))).amax(1)).squeeze(-1)

    @classmethod
    def pretrained(cls):
        torch.manual_seed(12)
        return cls().eval()
