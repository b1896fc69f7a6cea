"""Look at a position table before training; writes a small text plot."""

import math

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(()))
        self.length, self.width = length, width

    def forward(self, table):
        return self.scale * table


def table(length, width):
    place = torch.arange(length)[:, None]
    rate = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    return torch.cat([torch.sin(place * rate), torch.cos(place * rate)], dim=1)


def plot(values, rows=5):
    lines = []
    for row in range(rows, -rows - 1, -2):
        lines.append("".join("*" if round(value * rows) >= row else " " for value in values))
    return "\n".join(lines)


with torch.device("meta"):
    module = Positions(24, 8)

angles = table(24, 8)
print("parameters:", sum(p.numel() for p in module.parameters()), "table:", tuple(angles.shape))
wave = angles[:, 0].numpy()
print(plot(wave.tolist()))
assert abs(float(wave[0])) < 1e-6
