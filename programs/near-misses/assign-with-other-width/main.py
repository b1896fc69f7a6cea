"""Load weights without allocating twice: skeleton on meta, then assign."""

import logging
from dataclasses import dataclass

import torch
from torch import nn

log = logging.getLogger("loader")


@dataclass
class Shape:
    features: int = 12
    hidden: int = 64


def network(shape):
    return nn.Sequential(nn.Linear(shape.features, shape.hidden), nn.ReLU(), nn.Linear(shape.hidden, 2))


def load(path, shape):
    with torch.device("meta"):
        model = network(shape)
    state = torch.load(path, mmap=True, weights_only=True)
    log.info("assigning %d tensors of %s", len(state), path)
    model.load_state_dict(state, assign=True)
    return model.eval()


def main():
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    torch.save(network(Shape(hidden=48)).state_dict(), "net.pt")
    model = load("net.pt", Shape())
    log.info("output %s", model(torch.randn(1, 12)))


main()
