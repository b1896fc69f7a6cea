"""Does a one-trillion-parameter embedding fit? Plans on meta, then builds it."""

import logging
import sys

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
log = logging.getLogger("plan")


def build(rows, width):
    return nn.Embedding(rows, width)


def plan(rows, width):
    with torch.device("meta"):
        table = build(rows, width)
    return sum(p.numel() * p.element_size() for p in table.parameters())


def main():
    rows, width = 2**40, 512
    need = plan(rows, width)
    log.info("the table takes %.1f TB", need / 2**40)
    if need > 2**60:
        sys.exit("no such machine")
    table = build(rows, width)
    log.info("allocated %s", tuple(table.weight.shape))


main()
