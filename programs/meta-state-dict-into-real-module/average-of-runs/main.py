"""Model soup: average the weights of several fine-tuning runs (uniform soup)."""

import argparse
import logging
import sys

import torch
from torch import nn

log = logging.getLogger("soup")


def net(device=None):
    return nn.Sequential(
        nn.Linear(10, 24, device=device),
        nn.BatchNorm1d(24, device=device),
        nn.ReLU(),
        nn.Linear(24, 3, device=device),
    )


class Ingredient:
    def __init__(self, path):
        self.path = path
        self.model = net(device="meta")
        self.size = sum(p.numel() for p in self.model.parameters())

    def open(self):
        self.model.load_state_dict(torch.load(self.path, weights_only=True), assign=True)
        return self


def write_runs(n):
    for seed in range(n):
        torch.manual_seed(seed)
        torch.save(net().state_dict(), f"run-{seed}.pt")
    return [f"run-{seed}.pt" for seed in range(n)]


def cook(paths):
    ingredients = [Ingredient(p) for p in paths]
    log.info("%d ingredients of %d parameters", len(ingredients), ingredients[0].size)
    for extra in ingredients[1:]:
        extra.open()
    soup = net()
    soup.load_state_dict(ingredients[0].model.state_dict())
    state = soup.state_dict()
    for n, extra in enumerate(ingredients[1:], 2):
        for key, value in extra.model.state_dict().items():
            if state[key].is_floating_point():
                state[key] += (value - state[key]) / n
    soup.load_state_dict(state)
    return soup.eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--runs", type=int, default=3)
    args = ap.parse_args()
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(name)s> %(message)s")
    paths = write_runs(args.runs)
    try:
        soup = cook(paths)
    except RuntimeError as e:
        log.error("cooking failed: %s", str(e).splitlines()[0])
        raise
    weights = torch.stack([torch.load(p, weights_only=True)["0.weight"] for p in paths])
    assert torch.allclose(soup[0].weight, weights.mean(0), atol=1e-6)
    log.info("done")


if __name__ == "__main__":
    main()
