"""Export weights as .npy files for the embedded team."""

import pathlib
import sys

import numpy as np
import torch
from torch import nn


def flat_name(name):
    return name.replace(".", "_")


def export(model, folder):
    folder.mkdir(exist_ok=True)
    for name, parameter in model.named_parameters():
        assert not parameter.is_meta, f"{name} has no data"
        array = parameter.cpu().numpy()
        np.save(folder / f"{flat_name(name)}.npy", array)
        print(f"{name:20s} {array.shape}")


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv1d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 8, 2))
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "weights")
    export(model, target)
    print("written", len(list(target.iterdir())), "files")


main()
