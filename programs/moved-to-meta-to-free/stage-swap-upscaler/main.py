"""Two-stage generation: base, then upscaler; only one stage is resident at a time."""

import argparse
import logging
from contextlib import contextmanager

import torch
from torch import nn

logger = logging.getLogger("stages")


def stage(channels, scale, seed):
    torch.manual_seed(seed)
    return nn.Sequential(
        nn.Upsample(scale_factor=scale),
        nn.Conv2d(3, channels, 3, padding=1),
        nn.GELU(),
        nn.Conv2d(channels, 3, 3, padding=1),
    ).eval()


class StageManager:
    def __init__(self, device, idle):
        self.device, self.idle = torch.device(device), torch.device(idle)
        self.stages = {"base": stage(8, 1, 1), "upscale": stage(8, 2, 2)}
        for s in self.stages.values():
            s.to(self.idle if self.idle.type != "meta" else self.device)

    @contextmanager
    def resident(self, name):
        logger.info("stage %s -> %s", name, self.device)
        model = self.stages[name].to(self.device)
        try:
            yield model
        finally:
            model.to(self.idle)
            logger.info("stage %s -> %s", name, self.idle)


@torch.no_grad()
def generate(manager, seed):
    image = torch.randn(1, 3, 8, 8, generator=torch.Generator().manual_seed(seed))
    for name in manager.stages:
        with manager.resident(name) as model:
            image = image.clamp(-3, 3) if name == "base" else image
            image = model(image.to(manager.device))
    return image.clamp(-1, 1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--images", type=int, default=2)
    ap.add_argument("--device", default="cpu")
    ap.add_argument("--idle-device", default="meta")
    args = ap.parse_args()
    logging.basicConfig(level=logging.DEBUG, format="%(levelname)-5s %(message)s")
    manager = StageManager(args.device, args.idle_device)
    for n in range(args.images):
        image = generate(manager, seed=n)
        assert image.shape == (1, 3, 16, 16)
        assert image.isfinite().all()
        logger.info("image %d done", n)


if __name__ == "__main__":
    main()
