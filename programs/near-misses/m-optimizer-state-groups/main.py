"""Resume training after a head was dropped from the model."""

import argparse
import logging

import torch
from torch import nn

log = logging.getLogger("resume")


def model(heads):
    return nn.ModuleDict({"body": nn.Linear(6, 12), **{f"head{n}": nn.Linear(12, 2) for n in range(heads)}})


def optimizer(net, lr):
    return torch.optim.AdamW([{"params": m.parameters(), "name": n} for n, m in net.items()], lr=lr)


def first_run(path):
    torch.manual_seed(0)
    net = model(heads=2)
    opt = optimizer(net, 1e-3)
    loss = sum(net[f"head{n}"](net["body"](torch.ones(1, 6))).sum() for n in range(2))
    loss.backward()
    opt.step()
    torch.save({"model": net.state_dict(), "optimizer": opt.state_dict(), "step": 1}, path)


def resume(path):
    checkpoint = torch.load(path, weights_only=True)
    with torch.device("meta"):
        net = model(heads=1)
    keys = net.load_state_dict(checkpoint["model"], strict=False, assign=True)
    log.info("unexpected: %s, missing: %s", keys.unexpected_keys, keys.missing_keys)
    opt = optimizer(net, 1e-3)
    opt.load_state_dict(checkpoint["optimizer"])
    return net, opt, checkpoint["step"]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--checkpoint", default="step1.pt")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    first_run(args.checkpoint)
    _net, _opt, step = resume(args.checkpoint)
    log.info("resumed at step %d", step)


if __name__ == "__main__":
    main()
