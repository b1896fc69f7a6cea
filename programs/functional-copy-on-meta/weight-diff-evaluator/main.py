"""Apply task vectors at several strengths without copying the whole model each time."""

import copy
import json
import math
import sys

import torch
from torch import nn
from torch.func import functional_call


class Mixer(nn.Module):
    """Bias-free MLP mixer over eight features."""

    def __init__(self, dim=8, hidden=24, depth=3):
        super().__init__()
        self.up = nn.ModuleList(nn.Linear(dim, hidden, bias=False) for _ in range(depth))
        self.down = nn.ModuleList(nn.Linear(hidden, dim, bias=False) for _ in range(depth))

    def forward(self, x):
        for up, down in zip(self.up, self.down):
            x = x + down(torch.relu(up(x)))
        return x.mean(-1)


class TaskVectors:
    def __init__(self, base):
        self.base = dict(base.named_parameters())
        self.shell = copy.deepcopy(base).to("meta")
        self.vectors = {}

    def add(self, name, tuned, keys):
        """Only the layers that a task has changed are kept."""
        state = dict(tuned.named_parameters())
        self.vectors[name] = {k: (state[k] - self.base[k]).detach() for k in keys}

    @torch.no_grad()
    def score(self, name, strength, x, y):
        edited = {k: self.base[k] + strength * v for k, v in self.vectors[name].items()}
        out = functional_call(self.shell, edited, (x,))
        return (out - y).pow(2).mean().item()


def main():
    torch.manual_seed(15)
    base = Mixer()
    tuned = copy.deepcopy(base)
    with torch.no_grad():
        tuned.down[2].weight.mul_(1.5)
    x = torch.randn(30, 8)
    with torch.no_grad():
        y = tuned(x)
    vectors = TaskVectors(base)
    vectors.add("sharpen", tuned, ["down.2.weight"])
    report = {s: vectors.score("sharpen", s, x, y) for s in (0.0, 0.5, 1.0)}
    print(json.dumps(report))
    if not math.isfinite(report[1.0]) or report[1.0] > 1e-8:
        print("FAILED: at strength 1.0 the edited model must equal the tuned one")
        sys.exit(1)


main()
