"""Nightly scoring worker. The offload cache lives in the work folder and survives jobs."""

import logging
import pathlib
import shutil
import sys
import traceback

import torch
from accelerate import dispatch_model
from torch import nn

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="[%(levelname)s worker] %(message)s")
CACHE = pathlib.Path("offload_cache")
JOBS = [
    {"id": "nightly-1", "disk": ["decoder"]},
    {"id": "nightly-2", "disk": ["encoder", "decoder"]},
]


class AutoEncoder(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 6), nn.Tanh())
        self.decoder = nn.Linear(6, dim)

    def forward(self, x):
        return self.decoder(self.encoder(x))


def build(job):
    torch.manual_seed(40)
    model = AutoEncoder().eval()
    table = {n: "disk" if n in job["disk"] else "cpu" for n, _ in model.named_children()}
    if all(v == "disk" for v in table.values()):
        table = {"encoder.0": "disk", "encoder.1": "cpu", "decoder": "disk"}
    logging.info("%s: placement %s, cache %s", job["id"], table, CACHE)
    return dispatch_model(model, table, main_device="cpu", offload_dir=str(CACHE))


@torch.no_grad()
def work(job):
    x = torch.linspace(-1, 1, 24).reshape(2, 12)
    model = build(job)
    error = (model(x) - x).pow(2).mean(1)
    torch.manual_seed(40)
    want = (AutoEncoder()(x) - x).pow(2).mean(1)
    assert torch.allclose(error, want, atol=1e-6)
    return error.tolist()


def main():
    for job in JOBS:
        try:
            logging.info("%s: %s", job["id"], [round(e, 4) for e in work(job)])
        except Exception as e:
            logging.error("%s raised %r", job["id"], e)
            traceback.print_exc()
            return 1
    shutil.rmtree(CACHE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
