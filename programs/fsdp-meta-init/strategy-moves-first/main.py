import logging
import os

import torch
from strategy import FSDPStrategy
from torch import nn

logging.basicConfig(level=logging.INFO, format=f"%(asctime)s rank{os.environ['RANK']} %(message)s")
log = logging.getLogger("main")


class MatrixFactorisation(nn.Module):
    def __init__(self, rows, columns, rank=6):
        super().__init__()
        self.rows, self.columns = nn.Embedding(rows, rank), nn.Embedding(columns, rank)

    def forward(self, i, j):
        return (self.rows(i) * self.columns(j)).sum(-1)


def main():
    torch.manual_seed(31)
    with FSDPStrategy() as strategy:
        with torch.device("meta"):
            model = MatrixFactorisation(100, 80)
        try:
            model = strategy.setup(model)
        except Exception:
            log.exception("setup failed")
            raise
        optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
        torch.manual_seed(strategy.rank)
        i, j = torch.randint(0, 100, (200,)), torch.randint(0, 80, (200,))
        target = ((i + j) % 5).float()
        losses = []
        for _ in range(15):
            loss = (model(i, j) - target).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        log.info("loss %.3f -> %.3f", losses[0], losses[-1])
        assert losses[-1] < losses[0]


if __name__ == "__main__":
    main()
