"""UI callbacks of a small generator app; each returns a status line for the page."""

import functools
import sys
import traceback

import torch
from diffusers import AutoencoderKL, DDIMScheduler, DiTPipeline, DiTTransformer2DModel


def build_pipeline():
    torch.manual_seed(5)
    transformer = DiTTransformer2DModel(
        num_attention_heads=2,
        attention_head_dim=8,
        in_channels=4,
        out_channels=8,
        num_layers=2,
        sample_size=8,
        patch_size=2,
        num_embeds_ada_norm=1000,
        activation_fn="gelu-approximate",
        norm_type="ada_norm_zero",
        norm_elementwise_affine=False,
    )
    vae = AutoencoderKL(block_out_channels=(8,), norm_num_groups=4, latent_channels=4)
    pipe = DiTPipeline(transformer, vae, DDIMScheduler(num_train_timesteps=10))
    pipe.set_progress_bar_config(disable=True)
    return pipe


STATE = {"pipe": None, "offload": False, "errors": 0}


def callback(function):
    @functools.wraps(function)
    def wrapped(*args):
        try:
            return f"ok: {function(*args)}"
        except Exception as e:
            STATE["errors"] += 1
            traceback.print_exc()
            return f"error: {type(e).__name__}: {e}"

    return wrapped


@callback
def on_load(low_vram):
    STATE["pipe"] = build_pipeline()
    if low_vram:
        STATE["pipe"].enable_sequential_cpu_offload(device="cpu")
        STATE["offload"] = True
    return "pipeline loaded"


@callback
def on_device(name):
    STATE["pipe"].remove_all_hooks()
    STATE["pipe"].to(name)
    STATE["offload"] = False
    return f"pipeline on {name}"


@callback
def on_generate(label):
    images = STATE["pipe"]([label], num_inference_steps=2, output_type="np").images
    return f"image {images.shape} mean {images.mean():.3f}"


if __name__ == "__main__":
    device = "cuda" if torch.cuda.is_available() else "cpu"
    for status in (on_load(True), on_device(device)):
        print(status)
    if STATE["errors"]:
        sys.exit(1)
    print(on_generate(3))
    sys.exit(STATE["errors"])
