import torch
from torch import nn


class MixedNorm(nn.Module):
    """LayerNorm in float32 whatever the surrounding precision is."""

    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        out = nn.functional.layer_norm(x.float(), x.shape[-1:], self.weight.float(), self.bias.float())
        if torch.is_autocast_enabled(x.device.type):
            return out.to(torch.get_autocast_dtype(x.device.type))
        return out.type_as(x)


class GatedUnit(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm, self.proj = MixedNorm(dim), nn.Linear(dim, 2 * dim)

    def forward(self, x):
        value, gate = self.proj(self.norm(x)).chunk(2, -1)
        return x + value * gate.sigmoid()
