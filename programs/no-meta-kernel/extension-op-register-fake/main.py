"""Estimate the size of checkpoints before a training run is scheduled."""

import argparse
import json

import torch
from pointops import PointEncoder


def sizes(points, levels):
    with torch.device("meta"):
        model = PointEncoder(levels)
        cloud = torch.empty(1, points, 3)
        out = model(cloud)
    return {
        "parameters": sum(p.numel() for p in model.parameters()),
        "out": list(out.shape),
        "activation_bytes": out.numel() * 4,
    }


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--points", type=int, nargs="+", default=[64, 128])
    ap.add_argument("--levels", type=int, default=2)
    args = ap.parse_args()
    for n in args.points:
        report = sizes(n, args.levels)
        print(json.dumps({"points": n, **report}))
        with torch.no_grad():
            real = PointEncoder(args.levels)(torch.rand(1, n, 3))
        assert list(real.shape) == report["out"]


if __name__ == "__main__":
    main()
