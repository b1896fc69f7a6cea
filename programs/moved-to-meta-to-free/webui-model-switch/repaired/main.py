"""Checkpoint switcher of an image UI."""

import logging
import sys
from collections import OrderedDict

import torch
from torch import nn

log = logging.getLogger("sd_models")


def make_unet(seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Conv2d(4, 8, 3, padding=1), nn.SiLU(), nn.Conv2d(8, 4, 3, padding=1)).eval()


class ModelData:
    def __init__(self, device):
        self.device = device
        self.loaded = OrderedDict()
        self.current = None

    def send_model_to_trash(self, name):
        log.info("unloading %s to free memory", name)
        self.loaded[name].to(device="cpu")

    def send_model_to_device(self, name):
        self.loaded[name].to(self.device)

    def reload_model_weights(self, name, seed):
        if self.current == name:
            return self.loaded[name]
        if self.current is not None:
            self.send_model_to_trash(self.current)
        if name in self.loaded:
            log.info("reusing loaded model %s", name)
            self.send_model_to_device(name)
        else:
            log.info("loading weights [%08x] of %s", seed, name)
            self.loaded[name] = make_unet(seed).to(self.device)
        self.current = name
        return self.loaded[name]


@torch.no_grad()
def txt2img(model, steps=2):
    x = torch.randn(1, 4, 8, 8, generator=torch.Generator().manual_seed(0))
    for _ in range(steps):
        x = x - 0.1 * model(x)
    return x


def main():
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
    data = ModelData("cpu")
    seeds = {"photo.safetensors": 7, "anime.safetensors": 8}
    images = {}
    for name in ["photo.safetensors", "anime.safetensors", "photo.safetensors"]:
        image = txt2img(data.reload_model_weights(name, seeds[name]))
        if name in images:
            assert torch.allclose(image, images[name])
        images[name] = image
        log.info("Total progress: %s done", name)


if __name__ == "__main__":
    main()
