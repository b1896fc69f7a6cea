"""Load an old training checkpoint into a skeleton."""

import argparse
import dataclasses

import torch
from torch import nn


@dataclasses.dataclass
class TrainState:
    step: int
    notes: str


def net():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


def old_checkpoint(path):
    torch.manual_seed(0)
    torch.save({"model": net().state_dict(), "train": TrainState(120, "before the move")}, path)


def restore(path):
    with torch.device("meta"):
        model = net()
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"], assign=True)
    print("restored step", checkpoint["train"].step)
    return model


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--path", default="run-120.ckpt")
    args = ap.parse_args()
    old_checkpoint(args.path)
    model = restore(args.path)
    with torch.no_grad():
        print(model(torch.ones(1, 4)).item())


if __name__ == "__main__":
    main()
