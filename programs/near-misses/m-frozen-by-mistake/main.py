"""Fine-tune the last block; an audit compares the weights before and after."""

import argparse
import fnmatch
import logging

import torch
from torch import nn

log = logging.getLogger("finetune")


def net():
    return nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))


def freeze(model, patterns):
    for name, p in model.named_parameters():
        p.requires_grad_(not any(fnmatch.fnmatch(name, pattern) for pattern in patterns))
    return sum(p.requires_grad for p in model.parameters())


def train(model, steps, lr):
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    g = torch.Generator().manual_seed(0)
    x = torch.randn(32, 6, generator=g, requires_grad=True)
    y = (x.sum(1) > 0).long()
    losses = []
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(round(loss.item(), 4))
    return losses


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--freeze", nargs="+", default=["*.weight", "*.bias"])
    ap.add_argument("--steps", type=int, default=3)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    torch.manual_seed(1)
    model = net()
    freeze(model, args.freeze)
    before = {n: p.detach().clone() for n, p in model.named_parameters()}
    log.info("losses %s", train(model, args.steps, lr=0.1))
    moved = sum(not torch.equal(before[n], p) for n, p in model.named_parameters())
    assert moved > 0, f"only {moved} of {len(before)} parameters moved"


if __name__ == "__main__":
    main()
