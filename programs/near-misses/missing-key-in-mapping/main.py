"""Convert a PyTorch checkpoint between two naming schemes and load it into a meta skeleton."""

import re
import sys

import torch
from torch import nn

RENAMES = [(r"^enc\.(\d+)\.w$", r"layers.\1.weight"), (r"^enc\.(\d+)\.b$", r"layers.\1.bias")]


class Stack(nn.Module):
    def __init__(self, depth, width=6):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x


def rename(key):
    for pattern, replacement in RENAMES:
        key = re.sub(pattern, replacement, key)
    return key


def convert(source, model):
    renamed = {rename(k): v for k, v in source.items()}
    return {name: renamed[name] for name in model.state_dict()}


def main():
    torch.manual_seed(0)
    source = {}
    for i in range(3):
        source[f"enc.{i}.w"], source[f"enc.{i}.b"] = torch.randn(6, 6), torch.randn(6)
    with torch.device("meta"):
        model = Stack(depth=4)
    model.load_state_dict(convert(source, model), assign=True)
    print(model(torch.randn(1, 6)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
