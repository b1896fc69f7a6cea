"""Serve a base network with a plug-in that has a file of its own."""

import logging
import sys

import torch
from torch import nn

logging.basicConfig(
    stream=sys.stderr, level=logging.DEBUG, format="%(levelname)-5s %(funcName)s: %(message)s"
)


def network():
    return nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.Linear(16, 6))


class Plugin(nn.Module):
    def __init__(self, rank=2):
        super().__init__()
        self.down = nn.Linear(6, rank, bias=False)
        self.up = nn.Linear(rank, 6, bias=False)

    def forward(self, x):
        return x + self.up(self.down(x))


def train_elsewhere():
    torch.manual_seed(13)
    base, plugin = network(), Plugin()
    torch.save(base.state_dict(), "base.pt")
    torch.save(plugin.state_dict(), "plugin.pt")
    return nn.Sequential(base, plugin)


def device_of(module):
    return next(module.parameters()).device


def load():
    with torch.device("meta"):
        base = network()
    plugin = Plugin()
    logging.debug("reading plugin.pt onto %s", device_of(plugin))
    plugin.load_state_dict(torch.load("plugin.pt", map_location=device_of(plugin)))
    base.load_state_dict(torch.load("base.pt", map_location="cpu"), assign=True)
    return nn.Sequential(base, plugin).eval()


def main():
    reference = train_elsewhere()
    try:
        served = load()
    except RuntimeError:
        logging.exception("the service did not start")
        return 3
    x = torch.linspace(-1, 1, 12).view(2, 6)
    with torch.no_grad():
        return int(not torch.equal(served(x), reference(x)))


if __name__ == "__main__":
    raise SystemExit(main())
