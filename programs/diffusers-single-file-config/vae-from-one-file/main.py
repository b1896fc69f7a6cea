"""convert.py: read a single-file VAE and write it in the diffusers layout."""

import argparse
import json
import logging
import sys
from pathlib import Path

import torch
from diffusers import AutoencoderKLWan
from safetensors.torch import save_file

log = logging.getLogger("convert")

SMALL = dict(base_dim=8, z_dim=4, dim_mult=[1, 2], num_res_blocks=1, temperal_downsample=[False])
LARGE = dict(base_dim=8, z_dim=4, dim_mult=[1, 2], num_res_blocks=2, temperal_downsample=[False])


def download(folder: Path):
    """The two configurations and one original file, as a model page offers them."""
    for name, entries in (("small", SMALL), ("large", LARGE)):
        torch.manual_seed(1)
        AutoencoderKLWan(**entries).save_config(folder / name)
    torch.manual_seed(1)
    vae = AutoencoderKLWan(**SMALL)
    save_file(vae.state_dict(), folder / "vae.safetensors")
    return vae


def convert(source: Path, config: Path, target: Path):
    log.info("reading %s with %s", source, config)
    vae = AutoencoderKLWan.from_single_file(str(source), config=str(config))
    vae.save_pretrained(target)
    return vae


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folder", type=Path, default=Path("wan"))
    ap.add_argument("--variant", default="large")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    args.folder.mkdir(exist_ok=True)
    original = download(args.folder)
    vae = convert(args.folder / "vae.safetensors", args.folder / args.variant, Path("out"))
    clip = torch.randn(1, 3, 1, 16, 16)
    with torch.no_grad():
        a, b = original.encode(clip).latent_dist.mean, vae.encode(clip).latent_dist.mean
    json.dump({"difference": (a - b).abs().max().item()}, sys.stdout)
    assert torch.allclose(a, b, atol=1e-5)


if __name__ == "__main__":
    main()
