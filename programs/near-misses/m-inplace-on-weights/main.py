"""Spectral clipping written by hand."""

import argparse

import torch
from torch import nn


class Clipped(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim) + 0.1 * torch.randn(dim, dim))

    def forward(self, x):
        return torch.tanh(x @ self.weight)

    def clip_(self, limit=1.0):
        with torch.no_grad():
            self.weight.mul_(limit / self.weight.norm(2))


class Net(nn.Module):
    def __init__(self, dim=8, depth=2):
        super().__init__()
        self.layers = nn.ModuleList(Clipped(dim) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            layer.clip_()
        return x.mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    ap.add_argument("--steps", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(0)
    net = Net().to(args.device)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(args.steps):
        loss = net(torch.randn(4, 8, device=args.device, requires_grad=True))
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"step {step} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
