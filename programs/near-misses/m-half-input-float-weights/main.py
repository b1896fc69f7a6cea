"""Image features in bfloat16; the model is placed with a device map."""

import argparse
import logging

import torch
from accelerate import dispatch_model
from torch import nn

log = logging.getLogger("features")


class Features(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.patch = nn.Conv2d(3, dim, 4, 4)
        self.mix = nn.Linear(dim, dim)

    def forward(self, image):
        x = self.patch(image).flatten(2).transpose(1, 2)
        return self.mix(x).mean(1)


def open_model(dtype, table):
    torch.manual_seed(0)
    model = Features().to(dtype).eval()
    model = dispatch_model(model, table, main_device="cpu")
    log.info("model in %s on %s", next(model.parameters()).dtype, next(model.parameters()).device)
    return model


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dtype", default="bfloat16")
    ap.add_argument("--images", type=int, default=2)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    model = open_model(getattr(torch, args.dtype), {"": "cpu"})
    images = torch.rand(args.images, 3, 16, 16)
    with torch.no_grad():
        vectors = model(images)
    log.info("vectors %s", tuple(vectors.shape))


if __name__ == "__main__":
    main()
