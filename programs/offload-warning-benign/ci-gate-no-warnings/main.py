"""Gate of the model registry: load, run, compare, and accept only a quiet log."""

import argparse
import logging
import sys

import torch
from accelerate import dispatch_model
from torch import nn

BUDGET = {"small": {"trunk": "cpu", "head": "disk"}, "large": {"": "cpu"}}


class Strict(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.records = []

    def emit(self, record):
        self.records.append(f"{record.name}: {record.getMessage()}")


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(12, 24), nn.ReLU())
        self.head = nn.Linear(24, 4)

    def forward(self, x):
        return self.head(self.trunk(x))


def load(machine):
    torch.manual_seed(2)
    model = Classifier().eval()
    return dispatch_model(model, BUDGET[machine], main_device="cpu", offload_dir="gate-offload")


def accept(machine):
    strict = Strict()
    logging.getLogger().addHandler(strict)
    x = torch.randn(3, 12, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        out = load(machine)(x)
    torch.manual_seed(2)
    same = torch.allclose(out, Classifier()(x), atol=1e-6)
    print(f"outputs agree: {same}")
    print(f"warnings: {len(strict.records)}")
    return same and not strict.records, strict.records


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--machine", choices=BUDGET, default="small")
    args = ap.parse_args()
    ok, records = accept(args.machine)
    if not ok:
        print("REJECTED", file=sys.stderr)
        for line in records:
            print("  ", line, file=sys.stderr)
        sys.exit(1)
    print("accepted")


if __name__ == "__main__":
    main()
