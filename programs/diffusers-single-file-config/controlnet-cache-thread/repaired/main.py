import logging
import sys

import torch
from cache import Cache
from diffusers import AutoencoderKLWan
from safetensors.torch import save_file

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(threadName)s %(message)s")
log = logging.getLogger("preview")
STUDIO = dict(base_dim=8, z_dim=4, dim_mult=[1, 2], num_res_blocks=2, temperal_downsample=[False])


def studio_files():
    AutoencoderKLWan(**STUDIO).save_config("studio")
    models = {}
    for seed, name in enumerate(("day", "night")):
        torch.manual_seed(seed)
        models[name] = AutoencoderKLWan(**{**STUDIO, "num_res_blocks": 1}).eval()
        save_file(models[name].state_dict(), f"{name}.safetensors")
    return models


def preview(vae, clip):
    with torch.no_grad():
        return vae.encode(clip).latent_dist.mode()


def main():
    originals = studio_files()
    cache = Cache("studio", num_res_blocks=1)
    cache.prefetch("day", "night")
    clip = torch.randn(1, 3, 1, 16, 16)
    for name, original in originals.items():
        try:
            latent = preview(cache[name], clip)
        except Exception as e:
            log.exception("no preview for %s", name)
            sys.exit(f"{type(e).__name__}: {e}")
        torch.testing.assert_close(latent, preview(original, clip))
        log.info("%s: latent %s", name, tuple(latent.shape))


if __name__ == "__main__":
    main()
