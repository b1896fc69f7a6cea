"""Upgrade a ranking server to the release with a domain adapter."""

import argparse
import json
import logging
import sys

import torch
from torch import nn

FORMAT = "ts=%(asctime)s level=%(levelname)s msg=%(message)r"
logging.basicConfig(level=logging.INFO, stream=sys.stderr, format=FORMAT)


class Ranker(nn.Module):
    def __init__(self, release, dim=10):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, 20), nn.ReLU())
        self.domain_adapter = nn.Linear(20, 20) if release >= 2 else None
        self.score = nn.Linear(20, 1)

    def forward(self, x):
        h = self.trunk(x)
        if self.domain_adapter is not None:
            h = h + 0.1 * self.domain_adapter(h)
        return self.score(h).squeeze(-1)


def store_release_1(path):
    torch.manual_seed(51)
    model = Ranker(release=1).eval()
    torch.save(model.state_dict(), path)
    return model


def open_release(path, release, device):
    with torch.device("meta"):
        model = Ranker(release)
    result = model.load_state_dict(torch.load(path, weights_only=True), strict=False, assign=True)
    logging.info("load result: %s", json.dumps(result._asdict()))
    for module in model.modules():
        if any(p.is_meta for p in module.parameters(recurse=False)):
            module.to_empty(device=device, recurse=False)
            module.reset_parameters()
    return model.to(device).eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="ranker-r1.pt")
    ap.add_argument("--release", type=int, default=2)
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    old = store_release_1(args.weights)
    torch.manual_seed(0)
    new = open_release(args.weights, args.release, args.device)
    x = torch.randn(16, 10, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        drift = (new(x) - old(x)).abs().mean().item()
    logging.info("mean change of scores: %.4f", drift)
    assert 0 < drift < 0.2


if __name__ == "__main__":
    main()
