"""Custom node: load a UNet folder and denoise one latent."""

import json
import os
import traceback

import torch
from diffusers import UNet2DModel

MODELS = "models/unet"


def install():
    """The weights as their author published them."""
    torch.manual_seed(13)
    unet = UNet2DModel(
        sample_size=8,
        in_channels=4,
        out_channels=4,
        layers_per_block=1,
        block_out_channels=(16, 16),
        norm_num_groups=4,
        down_block_types=("DownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "UpBlock2D"),
    )
    unet.save_pretrained(MODELS)
    latent = torch.randn(1, 4, 8, 8)
    with torch.no_grad():
        return latent, unet.eval()(latent, 5).sample


class LoadUnet:
    RETURN_TYPES = ("UNET",)
    FUNCTION = "load"
    OVERRIDES = {}

    def load(self, folder):
        path = os.path.join(folder, "config.json")
        with open(path) as f:
            config = json.load(f)
        config.update(self.OVERRIDES)
        with open(path, "w") as f:
            json.dump(config, f)
        return (UNet2DModel.from_pretrained(folder),)


class DenoiseOnce:
    RETURN_TYPES = ("LATENT",)
    FUNCTION = "run"

    def run(self, unet, latent):
        with torch.inference_mode():
            return (unet.eval()(latent, 5).sample,)


def execute(node, *args):
    try:
        return getattr(node, node.FUNCTION)(*args)[0]
    except Exception:
        print(f"!!! Exception during processing of {type(node).__name__} !!!")
        traceback.print_exc()
        raise


if __name__ == "__main__":
    latent, expected = install()
    unet = execute(LoadUnet(), MODELS)
    result = execute(DenoiseOnce(), unet, latent)
    assert torch.allclose(result, expected, atol=1e-5), "the node does not reproduce the published sample"
    print("Prompt executed")
