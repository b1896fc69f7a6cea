"""What does one step of the candidate cost? Prints a small table."""

import argparse
import sys

from estimate import FlopEstimator, MemoryEstimator
from torch import nn


def candidate(depth, width):
    def factory():
        layers = [nn.Conv2d(3, width, 3, padding=1)]
        for _ in range(depth):
            layers += [nn.ReLU(), nn.Conv2d(width, width, 3, padding=1)]
        return nn.Sequential(*layers)

    return factory


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--size", type=int, default=32)
    args = parser.parse_args()
    flops, memory = FlopEstimator(), MemoryEstimator()
    memory.mode = flops.mode
    print(f"{'depth':>5} {'gflop':>8} {'MB':>8}")
    for depth in (1, 3):
        model, inputs = flops.build(candidate(depth, 16), (args.batch, 3, args.size, args.size))
        count = flops.run(model, inputs)
        size = memory.run(model, inputs)
        print(f"{depth:5d} {count / 1e9:8.3f} {size / 2**20:8.2f}")
        pixels = args.batch * args.size**2
        if count != 2 * pixels * 9 * (3 * 16 + depth * 16 * 16):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
