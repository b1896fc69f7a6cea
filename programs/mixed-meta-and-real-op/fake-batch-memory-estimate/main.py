"""Will this batch size fit? Runs one step with fake tensors and adds up what is kept for backward."""

import argparse
import logging

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

log = logging.getLogger("fit")


class Regressor(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.a = nn.Linear(dim, 4 * dim)
        self.b = nn.Linear(4 * dim, 1)

    def forward(self, x, mask):
        h = torch.relu(self.a(x)) * mask
        return self.b(h).squeeze(-1)


class Ledger:
    def __init__(self):
        self.bytes = 0

    def pack(self, t):
        self.bytes += t.numel() * t.element_size()
        return t

    def unpack(self, t):
        return t


def estimate(batch, dim):
    ledger = Ledger()
    with FakeTensorMode():
        model = Regressor(dim)
        x = torch.empty(batch, dim)
        mask = torch.ones(batch, 4 * dim, device="meta")
        with torch.autograd.graph.saved_tensors_hooks(ledger.pack, ledger.unpack):
            model(x, mask).sum().backward()
    return ledger.bytes


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--budget", type=int, default=2_000_000)
    ap.add_argument("--dim", type=int, default=32)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    best = 0
    for batch in (8, 64, 512, 4096):
        need = estimate(batch, args.dim)
        log.info("batch %5d needs %9d bytes", batch, need)
        if need <= args.budget:
            best = batch
    assert best == 512, best
    log.info("largest batch size within %d bytes: %d", args.budget, best)


if __name__ == "__main__":
    main()
