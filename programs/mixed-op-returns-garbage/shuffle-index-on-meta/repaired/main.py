"""Skeleton-first trainer: build everything under meta, then materialise and train."""

import logging

import torch
from torch import nn

logger = logging.getLogger("skeleton_trainer")


class Pool:
    """In-memory data with a fixed order of samples."""

    def __init__(self, table, size):
        self.table = table
        self.size = size
        self.order = torch.arange(len(table), device="cpu").flip(0)

    def __len__(self):
        return len(self.table) // self.size

    def batch(self, n):
        return self.table[self.order[n * self.size : (n + 1) * self.size]]


def scaled(table):
    low, high = table.aminmax()
    return (table - low) / (high - low) + 1.0


def check(batch):
    if not torch.all((batch >= 1.0) & (batch <= 2.0)):
        low, high = batch.min().item(), batch.max().item()
        raise ValueError(f"batch out of range [1, 2]: min={low:.3g} max={high:.3g}")


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    g = torch.Generator().manual_seed(0)
    table = scaled(torch.rand(64, 6, generator=g))
    with torch.device("meta"):
        net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
        pool = Pool(table, size=8)
    logger.info("%d batches, %d parameters", len(pool), sum(p.numel() for p in net.parameters()))
    net.to_empty(device="cpu")
    torch.manual_seed(1)
    for m in net:
        if hasattr(m, "reset_parameters"):
            m.reset_parameters()
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for n in range(len(pool)):
        x = pool.batch(n)
        check(x)
        loss = (net(x).squeeze(-1) - x.sum(-1)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        logger.info("batch %d loss %.3f", n, loss.item())
    assert torch.equal(pool.batch(0), table.flip(0)[:8])


if __name__ == "__main__":
    main()
