"""Report how many FLOPs one step of the routed block needs, before we rent the machines."""

import argparse
import json
import logging

import torch
from moe import SparseMoe
from torch.utils.flop_counter import FlopCounterMode

log = logging.getLogger("flops")


def count(batch: int, length: int, dim: int) -> int:
    block = SparseMoe(dim)
    tokens = torch.randn(batch, length, dim)
    counter = FlopCounterMode(display=False)
    with counter:
        block(tokens)
    return counter.get_total_flops()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--length", type=int, default=16)
    parser.add_argument("--dim", type=int, default=32)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    torch.manual_seed(0)
    log.info("counting %s", vars(args))
    flops = count(args.batch, args.length, args.dim)
    expected = 2 * args.batch * args.length * args.dim * (4 + 2 * 64 * 2)
    print(json.dumps({"flops": flops, "expected": expected}))
    if flops != expected:
        raise SystemExit("the count does not match the formula")


if __name__ == "__main__":
    main()
