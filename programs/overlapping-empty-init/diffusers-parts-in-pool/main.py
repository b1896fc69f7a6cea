"""Load the parts of an image pipeline in parallel to shorten the cold start."""

import argparse
import logging
import time
from concurrent.futures import ThreadPoolExecutor

import torch
from diffusers import ConfigMixin, ModelMixin
from diffusers.configuration_utils import register_to_config
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(threadName)s %(message)s")
log = logging.getLogger("coldstart")


class Part(ModelMixin, ConfigMixin):
    """A part whose kernels are tuned while it is built."""

    @register_to_config
    def __init__(self, width=8, tuning=0.0):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, padding=1)
        time.sleep(tuning)
        self.back = nn.Conv2d(width, 3, 1)

    def forward(self, x):
        return self.back(torch.relu(self.conv(x)))


def publish():
    for n, (name, width, tuning) in enumerate([("vae", 8, 0.5), ("unet", 16, 1.2)]):
        torch.manual_seed(n)
        Part(width=width, tuning=tuning).save_pretrained(name)


def load(name, start_after):
    time.sleep(start_after)
    part = Part.from_pretrained(name).eval()
    log.info("%s ready", name)
    return part


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--workers", type=int, default=2)
    args = ap.parse_args()
    publish()
    with ThreadPoolExecutor(args.workers, thread_name_prefix="load") as pool:
        vae, unet = pool.map(load, ["vae", "unet"], [0.0, 0.25])
    filters = nn.Conv2d(3, 3, 3, padding=1).to("cpu")
    image = torch.rand(1, 3, 8, 8, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        out = filters(unet(vae(image)))
    assert out.isfinite().all()
    log.info("image %s", tuple(out.shape))


if __name__ == "__main__":
    main()
