"""Continue a training run with q/k normalisation switched on."""

import argparse
import contextlib

import torch
from torch import nn


@contextlib.contextmanager
def skip_init():
    """Layers that are created inside cost nothing; weights are set later."""
    with torch.device("meta"):
        yield


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qk = nn.Linear(dim, 2 * dim, bias=False)
        self.v = nn.Linear(dim, dim, bias=False)
        self.q_norm = self.k_norm = nn.Identity()

    def forward(self, x):
        q, k = self.qk(x).chunk(2, -1)
        q, k = self.q_norm(q), self.k_norm(k)
        return x + (q @ k.mT / x.shape[-1] ** 0.5).softmax(-1) @ self.v(x)


class Net(nn.Module):
    def __init__(self, dim=16, depth=2):
        super().__init__()
        self.blocks = nn.ModuleList(Block(dim) for _ in range(depth))
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return self.out(x).mean((1, 2))


def add_qk_norm(model, dim=16):
    for block in model.blocks:
        with skip_init():
            block.q_norm = nn.LayerNorm(dim)
            block.k_norm = nn.LayerNorm(dim)
    print(f"added norms to {len(model.blocks)} blocks")


def epoch(model, opt, x, y):
    loss = (model(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--warm", type=int, default=3)
    ap.add_argument("--steps", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(0)
    model = Net()
    x = torch.randn(8, 5, 16)
    y = x.mean((1, 2))
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    before = [epoch(model, opt, x, y) for _ in range(args.warm)]
    add_qk_norm(model)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    after = [epoch(model, opt, x, y) for _ in range(args.steps)]
    print("losses", [round(v, 4) for v in before + after])
    assert after[-1] < before[0]


if __name__ == "__main__":
    main()
