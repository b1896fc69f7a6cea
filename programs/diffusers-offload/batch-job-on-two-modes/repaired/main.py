"""render_batch.py --count 2: prompts are class labels of a DiT."""

import argparse
import os
import sys
from dataclasses import dataclass

import torch
from diffusers import AutoencoderKL, DDIMScheduler, DiTPipeline, DiTTransformer2DModel


@dataclass
class Options:
    count: int
    offload: str
    device: str


def pipeline():
    torch.manual_seed(88)
    transformer = DiTTransformer2DModel(
        num_attention_heads=2,
        attention_head_dim=8,
        in_channels=4,
        out_channels=8,
        num_layers=1,
        sample_size=4,
        patch_size=2,
        num_embeds_ada_norm=1000,
        activation_fn="gelu-approximate",
        norm_type="ada_norm_zero",
        norm_elementwise_affine=False,
    )
    vae = AutoencoderKL(block_out_channels=(8,), norm_num_groups=4, latent_channels=4)
    pipe = DiTPipeline(transformer, vae, DDIMScheduler(num_train_timesteps=8))
    pipe.set_progress_bar_config(disable=True)
    return pipe


def prepare(options):
    pipe = pipeline()
    if options.offload == "sequential":
        pipe.enable_sequential_cpu_offload(device="cpu")
    elif options.offload == "model":
        pipe.enable_model_cpu_offload(device="cuda" if torch.cuda.is_available() else "cpu")
    if options.device and options.offload != "model":
        pipe.to(options.device)
    return pipe


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--count", type=int, default=2)
    ap.add_argument("--offload", choices=["none", "model", "sequential"], default="model")
    ap.add_argument("--device", default=os.environ.get("RENDER_DEVICE", "cuda"))
    options = Options(**vars(ap.parse_args()))
    print(options, flush=True)
    pipe = prepare(options)
    for number in range(options.count):
        generator = torch.Generator().manual_seed(number)
        image = pipe([number], num_inference_steps=2, output_type="np", generator=generator).images[0]
        print(f"image {number}: {image.shape}, mean {image.mean():.4f}")
        if not 0 <= image.mean() <= 1:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
