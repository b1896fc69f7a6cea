"""Train a toy noise predictor with clipped gradients."""

import argparse
import sys

import torch
from torch import nn


class NoisePredictor(nn.Module):
    def __init__(self, dim=8, width=24):
        super().__init__()
        self.time = nn.Linear(1, width)
        self.inp = nn.Linear(dim, width)
        self.out = nn.Linear(width, dim)

    def forward(self, x, t):
        return self.out(torch.tanh(self.inp(x) + self.time(t)))


def loss_of(model, step):
    g = torch.Generator().manual_seed(step)
    x, noise, t = torch.ones(16, 8), torch.randn(16, 8, generator=g), torch.rand(16, 1, generator=g)
    return (model((1 - t) * x + t * noise, t) - noise).pow(2).mean()


class Run:
    def __init__(self, args):
        with torch.device("meta"):
            self.model = NoisePredictor()
        self.params = list(self.model.parameters())
        self.args = args

    def materialise(self):
        self.model.to_empty(device="cpu")
        torch.manual_seed(self.args.seed)
        for m in self.model.children():
            m.reset_parameters()

    def clipped(self):
        return nn.utils.clip_grad_norm_(self.params, self.args.clip).item()

    def train(self):
        opt = torch.optim.SGD(self.model.parameters(), lr=self.args.lr)
        norms = []
        for step in range(self.args.steps):
            loss_of(self.model, step).backward()
            norms.append(self.clipped())
            opt.step()
            opt.zero_grad()
        return norms


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=6)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--clip", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=5)
    run = Run(p.parse_args())
    run.materialise()
    norms = run.train()
    print("gradient norms before clipping:", [round(n, 3) for n in norms])
    if not all(n > 0 for n in norms):
        sys.exit(f"export refused: gradient norm was 0 in {norms.count(0.0)} of {len(norms)} steps")


if __name__ == "__main__":
    main()
