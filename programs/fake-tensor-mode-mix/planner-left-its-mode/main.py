import logging
import sys

from planner import Planner
from torch import nn

log = logging.getLogger("layout")


def pipeline():
    return [
        lambda: nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU()),
        lambda: nn.Sequential(nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.ReLU()),
        lambda: nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10)),
    ]


def plan(factories, shape):
    planners = [Planner(factory) for factory in factories]
    sizes, x = [], None
    for number, planner in enumerate(planners):
        x = planner.activation(x, shape)
        sizes.append(x.numel() * x.element_size())
        log.info("block %d: %s, %d bytes", number, tuple(x.shape), sizes[-1])
    return sizes


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
    sizes = plan(pipeline(), (2, 3, 16, 16))
    return 0 if sizes == [2 * 8 * 256 * 4, 2 * 16 * 64 * 4, 2 * 10 * 4] else 1


if __name__ == "__main__":
    sys.exit(main())
