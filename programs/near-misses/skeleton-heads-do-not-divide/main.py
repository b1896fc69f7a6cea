"""Parameter counts of candidate configurations, without allocating them."""

import sys

import torch
from accelerate import init_empty_weights
from torch import nn

CANDIDATES = [(64, 4), (96, 6), (100, 8)]


def build(width, heads):
    layer = nn.TransformerEncoderLayer(width, heads, 4 * width, batch_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


def count(width, heads):
    with init_empty_weights():
        model = build(width, heads)
    assert all(p.device == torch.device("meta") for p in model.parameters())
    return sum(p.numel() for p in model.parameters())


def main():
    for width, heads in CANDIDATES:
        print(f"{width:4} {heads:2} {count(width, heads):>8,}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
