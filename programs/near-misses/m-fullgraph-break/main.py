"""Compile the scorer as one graph and compare it with eager mode."""

import logging
import sys

import torch
from torch import nn

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("compile")


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.floor = 0.1

    def forward(self, x):
        h = torch.relu(self.fc(x))
        if h.sum() > self.floor:
            h = h / h.sum()
        return h


def compiled(model):
    return torch.compile(model, backend="eager", fullgraph=True)


def main():
    torch.manual_seed(0)
    model = Scorer().eval()
    x = torch.rand(2, 6)
    with torch.no_grad():
        want = model(x)
        got = compiled(model)(x)
    assert torch.allclose(got, want)
    log.info("compiled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
