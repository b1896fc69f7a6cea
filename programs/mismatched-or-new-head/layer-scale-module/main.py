"""Start LayerScale training from a plain ViT checkpoint."""

import logging
import sys

import torch
from scaled_vit import LayerScale, ScaledViT, plain_checkpoint
from transformers import ViTConfig

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("layerscale")


class BadStart(Exception):
    pass


def sanity(model):
    gains = torch.cat([m.gain.detach().flatten() for m in model.modules() if isinstance(m, LayerScale)])
    low, high = gains.min().item(), gains.max().item()
    log.info("%d gains between %g and %g", gains.numel(), low, high)
    if not (0.0999 < low and high < 0.1001):
        raise BadStart(f"LayerScale starts at {low:g}..{high:g}, the recipe says 0.1")


def train(model, steps=4):
    g = torch.Generator().manual_seed(0)
    pixels, labels = torch.randn(6, 3, 16, 16, generator=g), torch.arange(6) % 3
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(steps):
        loss = torch.nn.functional.cross_entropy(model(pixels), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


def main():
    plain_checkpoint("vit-plain")
    config = ViTConfig.from_pretrained("vit-plain", num_labels=3)
    model = ScaledViT.from_pretrained("vit-plain", config=config)
    try:
        sanity(model)
    except BadStart as e:
        log.error("%s", e)
        return 1
    losses = train(model)
    log.info("losses %s", [round(v, 3) for v in losses])
    assert losses[-1] < losses[0]
    return 0


if __name__ == "__main__":
    sys.exit(main())
