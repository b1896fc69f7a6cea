import sys

import torch
from framework import Strategy, fit
from torch import nn


class RankingModule:
    """Learning to rank with discounts; only the network is large."""

    def __init__(self, width=64, top=5):
        self.width, self.top = width, top

    def configure_model(self):
        self.net = nn.Sequential(nn.Linear(6, self.width), nn.ReLU(), nn.Linear(self.width, 1))
        gains = 1 / torch.log2(torch.arange(2, self.top + 2))
        self.discounts = [g.item() for g in gains]
        self.ideal = sum(self.discounts)

    def training_step(self, batch):
        features, relevance = batch
        scores = self.net(features).squeeze(-1)
        order = scores.argsort(descending=True)[: self.top]
        weights = torch.tensor(self.discounts) / self.ideal
        self.ndcg = float((relevance[order] * weights).sum())
        return nn.functional.binary_cross_entropy_with_logits(scores, relevance)


def data(n):
    g = torch.Generator().manual_seed(3)
    for _ in range(n):
        x = torch.randn(32, 6, generator=g)
        yield x, (x[:, 0] > 0.5).float()


if __name__ == "__main__":
    torch.manual_seed(0)
    module = RankingModule()
    loss = fit(module, data(80), Strategy())
    print(f"loss {loss:.3f} ndcg {module.ndcg:.3f}")
    sys.exit(module.ndcg < 0.6)
