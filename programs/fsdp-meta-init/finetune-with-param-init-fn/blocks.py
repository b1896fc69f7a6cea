import torch
from torch import nn


class LayerScale(nn.Module):
    def __init__(self, dim, init=1e-1):
        super().__init__()
        self.gamma = nn.Parameter(init * torch.ones(dim))

    def forward(self, x):
        return x * self.gamma


class Mixer(nn.Module):
    def __init__(self, patches=9, dim=12):
        super().__init__()
        self.token = nn.Linear(patches, patches)
        self.channel = nn.Linear(dim, dim)
        self.scale = LayerScale(dim)
        self.head = nn.Linear(dim, 3)

    def forward(self, x):
        x = x + self.token(x.transpose(1, 2)).transpose(1, 2)
        x = x + self.scale(torch.relu(self.channel(x)))
        return self.head(x.mean(1))
