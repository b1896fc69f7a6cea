"""Build a classifier on top of any backbone; the feature size is found by a dry run without data."""

import copy
import logging
import os

import torch
from torch import nn

LOG = logging.getLogger(os.path.basename(__file__))
IMAGE = (1, 3, 24, 24)


def backbone(width=12):
    return nn.Sequential(
        nn.Conv2d(3, width, 3, stride=2, bias=False),
        nn.BatchNorm2d(width),
        nn.ReLU(),
        nn.Conv2d(width, 2 * width, 3, stride=2, bias=False),
        nn.BatchNorm2d(2 * width),
        nn.ReLU(),
        nn.Flatten(),
    )


def feature_size(net):
    probe = torch.empty(IMAGE, device="meta")
    with torch.no_grad():
        return copy.deepcopy(net).to("meta")(probe).shape[-1]


class Classifier(nn.Module):
    def __init__(self, net, classes):
        super().__init__()
        size = feature_size(net)
        LOG.info("features: %d", size)
        self.net = net
        self.fc = nn.Linear(size, classes)

    def forward(self, x):
        return self.fc(self.net(x))


def fit(model, steps=4):
    g = torch.Generator().manual_seed(3)
    x, y = torch.randn(8, *IMAGE[1:], generator=g), torch.arange(8) % 3
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    first = None
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(x), y)
        first = first or loss.item()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return first, loss.item()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    torch.manual_seed(1)
    first, last = fit(Classifier(backbone(), classes=3))
    assert last < first
    LOG.info("loss %.3f -> %.3f", first, last)
