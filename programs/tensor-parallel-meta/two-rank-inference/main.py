"""Classify sensor windows on two ranks: torchrun --nproc-per-node 2 main.py [--random]"""

import argparse
import contextlib
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


class Classifier(nn.Module):
    def __init__(self, window=24, hidden=48, classes=4):
        super().__init__()
        self.enter = nn.Linear(window, hidden)
        self.leave = nn.Linear(hidden, classes)

    def forward(self, window):
        return self.leave(torch.tanh(self.enter(window)))


@contextlib.contextmanager
def group():
    dist.init_process_group("gloo")
    try:
        yield init_device_mesh("cpu", (dist.get_world_size(),))
    finally:
        dist.destroy_process_group()


def checkpoint():
    torch.manual_seed(50)
    return Classifier().state_dict()


def build(mesh, weights=None):
    with torch.device("meta"):
        model = Classifier()
    model = parallelize_module(model, mesh, {"enter": ColwiseParallel(), "leave": RowwiseParallel()})
    if weights is not None:
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                print(f"[{os.environ['RANK']}] {name}: {tuple(parameter.shape)}")
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", action="store_true")
    args = parser.parse_args()
    with group() as mesh:
        weights = None if args.random else checkpoint()
        model = build(mesh, weights)
        windows = torch.linspace(0, 1, 72).view(3, 24)
        with torch.no_grad():
            classes = model(windows).argmax(-1).tolist()
        whole = Classifier()
        whole.load_state_dict(checkpoint())
        assert classes == whole(windows).argmax(-1).tolist()
        print(f"[{os.environ['RANK']}] {classes}")


if __name__ == "__main__":
    main()
