"""Plan activation memory by running the model on the meta device."""

import argparse
import logging

import torch
from scan_ops import ScanLayer
from torch import nn

log = logging.getLogger("planner")


class Net(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.inp = nn.Linear(6, width)
        self.layers = nn.ModuleList(ScanLayer(width) for _ in range(depth))

    def forward(self, x):
        x = self.inp(x)
        for layer in self.layers:
            x = layer(x)
        return x


def activation_bytes(width, depth, batch, length):
    sizes = []

    def hook(_module, _args, out):
        sizes.append(out.numel() * out.element_size())

    with torch.device("meta"):
        net = Net(width, depth)
        x = torch.empty(batch, length, 6)
    handles = [m.register_forward_hook(hook) for m in net.modules() if m is not net]
    try:
        with torch.no_grad():
            net(x)
    finally:
        for h in handles:
            h.remove()
    return sum(sizes)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--width", type=int, default=32)
    p.add_argument("--depth", type=int, default=3)
    p.add_argument("--batch", type=int, default=4)
    p.add_argument("--length", type=int, default=50)
    a = p.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    total = activation_bytes(a.width, a.depth, a.batch, a.length)
    log.info("activations: %d bytes", total)
    assert total > a.batch * a.length * a.width * 4 * a.depth
    y = Net(8, 1)(torch.ones(1, 3, 6))
    assert y.shape == (1, 3, 8)


if __name__ == "__main__":
    main()
