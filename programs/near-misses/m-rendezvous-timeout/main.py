"""Two-rank training; the second machine is started by hand."""

import argparse
import datetime
import logging
import socket
import sys

import torch.distributed as dist
from torch import nn

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s rank0 %(message)s")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def join(address, rank, world, wait):
    logging.info("rank %d of %d joins at %s", rank, world, address)
    dist.init_process_group(
        "gloo",
        init_method=f"tcp://{address}",
        rank=rank,
        world_size=world,
        timeout=datetime.timedelta(seconds=wait),
    )


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--address", default=f"127.0.0.1:{free_port()}")
    ap.add_argument("--world", type=int, default=2)
    ap.add_argument("--wait", type=float, default=2.0)
    args = ap.parse_args()
    net = nn.Linear(4, 4)
    logging.info("model with %d parameters", sum(p.numel() for p in net.parameters()))
    try:
        join(args.address, 0, args.world, args.wait)
    except Exception:
        logging.exception("could not join the group")
        return 1
    net = nn.parallel.DistributedDataParallel(net)
    dist.destroy_process_group()
    return 0


if __name__ == "__main__":
    sys.exit(main())
