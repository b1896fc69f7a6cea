"""Prepare text encoder outputs for LoRA training (cache step)."""

import argparse
import logging
import sys

import torch
from clip_file import CONFIG, write_single_file
from safetensors.torch import load_file
from transformers import CLIPTextModel

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s INFO %(message)s")
logger = logging.getLogger("train_util")


def load_text_encoder(path, device, dtype=None):
    logger.info("Building CLIP-L")
    with torch.device("meta"):
        clip = CLIPTextModel(CONFIG)
    logger.info("Loading state dict from %s", path)
    sd = load_file(path, device="cpu")
    sd = {k.removeprefix("cond_stage_model.transformer."): v for k, v in sd.items()}
    info = clip.load_state_dict(sd, assign=True)
    logger.info("Loaded CLIP-L: missing %s", sorted(info.missing_keys)[:4])
    logger.info("unexpected %s", sorted(info.unexpected_keys)[:4])
    for name, buffer in clip.named_buffers():
        if name.endswith("position_ids"):
            owner = clip.get_submodule(name.rpartition(".")[0])
            owner.position_ids = torch.arange(buffer.shape[-1]).expand(1, -1)
    if dtype is not None:
        clip.to(dtype)
    return clip.to(device).eval()


def cache_outputs(clip, captions, device):
    out = {}
    for name, ids in captions.items():
        with torch.no_grad():
            out[name] = clip(torch.tensor([ids], device=device)).last_hidden_state.cpu()
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--clip_l", default="clip_l.safetensors")
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    reference = write_single_file(args.clip_l)
    clip = load_text_encoder(args.clip_l, args.device)
    captions = {"img1.txt": [1, 8, 9, 2], "img2.txt": [1, 10, 2]}
    for name, hidden in cache_outputs(clip, captions, args.device).items():
        with torch.no_grad():
            want = reference(torch.tensor([captions[name]])).last_hidden_state
        assert torch.allclose(hidden, want, atol=1e-5), name
        logger.info("cached %s %s", name, tuple(hidden.shape))


if __name__ == "__main__":
    main()
