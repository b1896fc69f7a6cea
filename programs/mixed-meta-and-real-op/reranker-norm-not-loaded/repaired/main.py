"""Rerank search hits. The calibration block was added in release 2 and has a checkpoint of its own."""

import argparse
import logging

import torch
from torch import nn

log = logging.getLogger("rerank")


class Calibration(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))
        self.shift = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return x * self.gain + self.shift


class Reranker(nn.Module):
    def __init__(self, dim=20):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, dim), nn.GELU())
        self.calibration = nn.Identity()
        self.out = nn.Linear(dim, 1)

    def forward(self, feats):
        return self.out(self.calibration(self.trunk(feats))).squeeze(-1)


def prepare():
    torch.manual_seed(5)
    torch.save(Reranker().state_dict(), "trunk.pt")
    block = Calibration(20)
    nn.init.uniform_(block.gain, 0.5, 1.5)
    torch.save(block.state_dict(), "calibration.pt")


def upgrade(model, dim=20):
    with torch.device("meta"):
        model.calibration = Calibration(dim)
    log.info("calibration block added")
    return model


def load(args):
    model = Reranker()
    model.load_state_dict(torch.load(args.trunk, weights_only=True))
    model = upgrade(model)
    state = torch.load(args.calibration, weights_only=True)
    model.calibration.load_state_dict(state, assign=True)
    return model.eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--trunk", default="trunk.pt")
    ap.add_argument("--calibration", default="calibration.pt")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    prepare()
    model = load(args)
    feats = torch.randn(7, 20, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        scores = model(feats)
    assert scores.isfinite().all()
    assert scores.std() > 0
    log.info("order %s", scores.argsort(descending=True).tolist())


if __name__ == "__main__":
    main()
