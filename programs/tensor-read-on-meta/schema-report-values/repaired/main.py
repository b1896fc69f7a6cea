"""Report on a checkpoint: names, shapes and value ranges.

python main.py model.pt --match bias
"""

import argparse
import logging
import sys

import torch
from torch import nn

log = logging.getLogger("report")


def sample(path):
    torch.manual_seed(2)
    torch.save(nn.Sequential(nn.Linear(6, 12), nn.LayerNorm(12), nn.Linear(12, 3)).state_dict(), path)


def open_checkpoint(path):
    return torch.load(path, map_location="cpu", mmap=True, weights_only=True)


def describe(name, tensor):
    low, high = torch.aminmax(tensor.float())
    return f"{name:12} {str(tuple(tensor.shape)):10} {float(low):+.3f} … {float(high):+.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("path", nargs="?", default="model.pt")
    parser.add_argument("--match", default="")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    sample(args.path)
    state = open_checkpoint(args.path)
    log.info("%d tensors", len(state))
    for name, tensor in state.items():
        if args.match in name:
            tensor = tensor.cpu()
            print(describe(name, tensor))
    return 0


if __name__ == "__main__":
    sys.exit(main())
