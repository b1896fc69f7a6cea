"""Average predictions over augmentations."""

import argparse
import logging

import torch
from torch import nn

log = logging.getLogger("tta")


class Averager:
    def __init__(self, rows, classes):
        self.total = torch.ones(rows, classes)
        self.count = 0

    def add(self, probs):
        self.total += probs
        self.count += 1

    def mean(self):
        return self.total / self.count


def augmentations(x, n):
    g = torch.Generator().manual_seed(0)
    for _ in range(n):
        yield x + 0.01 * torch.randn(x.shape, generator=g)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rows", type=int, default=8)
    ap.add_argument("--rounds", type=int, default=4)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    model = nn.Linear(5, 3).eval()
    x = torch.randn(args.rows, 5)
    avg = Averager(args.rows, 3)
    with torch.no_grad():
        for batch in augmentations(x, args.rounds):
            avg.add(model(batch).softmax(-1))
    probs = avg.mean()
    log.info("row sums %s", [round(v, 3) for v in probs.sum(-1).tolist()])
    if not torch.allclose(probs.sum(-1), torch.ones(args.rows), atol=1e-3):
        raise ValueError(f"probabilities out of range: max {probs.max().item():.3g}")


if __name__ == "__main__":
    main()
