"""Assemble a latent decoder from parts that come from different people."""

import json
import logging
from pathlib import Path

import torch
from diffusers import AutoencoderKL

logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
log = logging.getLogger("assemble")
TEMPLATE = dict(
    down_block_types=("DownEncoderBlock2D", "DownEncoderBlock2D"),
    up_block_types=("UpDecoderBlock2D", "UpDecoderBlock2D"),
    block_out_channels=(8, 8),
    layers_per_block=2,
    norm_num_groups=4,
    latent_channels=4,
)


def author(folder):
    """The weights: a VAE with one layer per block."""
    torch.manual_seed(11)
    vae = AutoencoderKL(**{**TEMPLATE, "layers_per_block": 1}).eval()
    vae.save_pretrained(folder)
    return vae


def editor(folder):
    """Somebody tidies the configuration and writes the house template over it."""
    path = Path(folder) / "config.json"
    config = json.loads(path.read_text())
    config.update({**TEMPLATE, "layers_per_block": config["layers_per_block"]})
    path.write_text(json.dumps(config, indent=2))


def assemble(folder):
    vae = AutoencoderKL.from_pretrained(folder).eval()
    log.info("%d layers per block", vae.config.layers_per_block)
    return vae


def main():
    original = author("vae")
    editor("vae")
    vae = assemble("vae")
    latents = torch.randn(1, 4, 4, 4)
    with torch.inference_mode():
        image = vae.decode(latents).sample
        expected = original.decode(latents).sample
    log.info("decoded %s", tuple(image.shape))
    torch.testing.assert_close(image, expected)


if __name__ == "__main__":
    main()
