"""First-order MAML on sine waves with a normalised network."""

import argparse
import copy
import logging
import math

import torch
from torch import nn
from torch.func import functional_call, grad

log = logging.getLogger("maml")


class Regressor(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.register_buffer("shift", torch.tensor(0.5))
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.LayerNorm(hidden), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x - self.shift)


class Maml:
    def __init__(self, model, inner_lr):
        self.params = {k: v.detach().clone() for k, v in model.named_parameters()}
        self.stateless = copy.deepcopy(model)
        self.inner_lr = inner_lr

    def loss(self, params, x, y):
        return (functional_call(self.stateless, params, (x,)) - y).square().mean()

    def adapt(self, x, y, steps):
        params = self.params
        for _ in range(steps):
            gradient = grad(self.loss)(params, x, y)
            params = {k: p - self.inner_lr * gradient[k] for k, p in params.items()}
        return params

    def outer(self, tasks, lr=0.05):
        for x, y in tasks:
            adapted = self.adapt(x, y, 2)
            gradient = grad(self.loss)(adapted, x, y)
            self.params = {k: p - lr * gradient[k] for k, p in self.params.items()}


def sine(seed, n=16):
    g = torch.Generator().manual_seed(seed)
    phase, x = torch.rand(1, generator=g) * math.pi, torch.rand(n, 1, generator=g) * 4
    return x, torch.sin(x + phase)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--inner-lr", type=float, default=0.05)
    ap.add_argument("--rounds", type=int, default=3)
    opt = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    maml = Maml(Regressor(), opt.inner_lr)
    x, y = sine(999)
    before = float(maml.loss(maml.adapt(x, y, 3), x, y))
    for r in range(opt.rounds):
        maml.outer(sine(20 * r + i) for i in range(20))
        log.info("round %d", r)
    after = float(maml.loss(maml.adapt(x, y, 3), x, y))
    log.info("loss after adaptation %.4f -> %.4f", before, after)
    assert after < before
