"""Load a community fine-tune that is published as one safetensors file."""

import argparse
import logging
import sys
import traceback

import torch
from diffusers import WanTransformer3DModel
from safetensors.torch import save_file

log = logging.getLogger("community")
BASE = dict(
    patch_size=(1, 2, 2),
    num_attention_heads=2,
    attention_head_dim=12,
    in_channels=4,
    out_channels=4,
    text_dim=16,
    freq_dim=16,
    ffn_dim=32,
    num_layers=1,
    rope_max_seq_len=16,
)


def publish():
    """A fine-tune of the text-to-video model, and the configuration of its image-to-video sister."""
    torch.manual_seed(70)
    source = WanTransformer3DModel(**BASE).eval()
    save_file(source.state_dict(), "finetune.safetensors")
    WanTransformer3DModel(**BASE, image_dim=20).save_config("i2v")
    return source


def load(path, config):
    log.info("loading %s as %s", path, config)
    return WanTransformer3DModel.from_single_file(path, config=config, image_dim=None).eval()


def denoise(model):
    g = torch.Generator().manual_seed(1)
    latents = torch.randn(1, 4, 1, 8, 8, generator=g)
    text = torch.randn(1, 6, 16, generator=g)
    with torch.no_grad():
        return model(latents, torch.tensor([3]), text).sample


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--file", default="finetune.safetensors")
    ap.add_argument("--config", default="i2v")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    source = publish()
    try:
        model = load(args.file, args.config)
    except Exception as e:
        traceback.print_exc()
        log.error("%s cannot be used: %s", args.file, e)
        return 1
    torch.testing.assert_close(denoise(model), denoise(source))
    log.info("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
