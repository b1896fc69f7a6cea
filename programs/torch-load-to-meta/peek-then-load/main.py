"""Loads whichever network fits a checkpoint, told by its shapes."""

import functools
import sys

import torch
from torch import nn


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x).relu())


class Wide(Small):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 32)
        self.head = nn.Linear(32, 2)


@functools.lru_cache(maxsize=4)
def read(path, where="meta"):
    return torch.load(path, map_location=where, weights_only=True)


def kind(path):
    rows = read(path)["body.weight"].shape[0]
    return {8: Small, 32: Wide}[rows]


def load(path):
    model = kind(path)()
    print(f"{path}: {type(model).__name__}")
    model.load_state_dict(read(path))
    return model.eval()


def main():
    torch.manual_seed(6)
    for name, network in (("a.pt", Small()), ("b.pt", Wide())):
        torch.save(network.state_dict(), name)
    for name in ("a.pt", "b.pt"):
        model = load(name)
        print(model(torch.ones(1, 4)).tolist())


if __name__ == "__main__":
    sys.exit(main())
