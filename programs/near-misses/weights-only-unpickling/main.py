"""Resume from a checkpoint of last year's trainer."""

import argparse
import os
import sys

import torch
from torch import nn


def save(path, model, args, step):
    torch.save({"model": model.state_dict(), "args": args, "step": step}, path)


def resume(path, device):
    checkpoint = torch.load(path, map_location=device, weights_only=True)
    with torch.device("meta"):
        model = nn.Linear(4, 4)
    model.load_state_dict(checkpoint["model"], assign=True)
    return model, checkpoint["step"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", default="last.pt")
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    torch.manual_seed(0)
    if not os.path.exists(args.checkpoint):
        save(args.checkpoint, nn.Linear(4, 4), args, step=10)
    model, step = resume(args.checkpoint, args.device)
    print("resumed at", step, "with weights on", model.weight.device)
    return 0


if __name__ == "__main__":
    sys.exit(main())
