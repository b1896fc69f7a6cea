"""Mirror a checkpoint and load it into an empty model."""

import logging
import shutil

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from safetensors.torch import save_file
from torch import nn

log = logging.getLogger("mirror")


def model():
    return nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 8))


def download(source, target, limit=None):
    with open(source, "rb") as a, open(target, "wb") as b:
        shutil.copyfileobj(a, b) if limit is None else b.write(a.read(limit))
    log.info("downloaded %s", target)


def main():
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    save_file(model().state_dict(), "origin.safetensors")
    download("origin.safetensors", "mirror.safetensors", limit=4096)
    with init_empty_weights():
        empty = model()
    loaded = load_checkpoint_and_dispatch(empty, "mirror.safetensors", device_map={"": "cpu"})
    log.info("first weight %s", loaded[0].weight[0, 0])


main()
