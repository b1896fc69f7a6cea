"""Caption decoder for the desktop tool. Half of the layers live on disk on small machines."""

from __future__ import annotations

import os
import sys

import torch
from accelerate import dispatch_model, init_empty_weights
from transformers import GPT2Config, GPT2LMHeadModel

WEIGHTS = "decoder.bin"
CONFIG = GPT2Config(vocab_size=70, n_positions=24, n_embd=24, n_layer=4, n_head=3, tie_word_embeddings=False)


class CaptionError(RuntimeError):
    pass


def device_map(on_disk: int) -> dict[str, str]:
    layers = {f"transformer.h.{i}": "disk" if i >= 4 - on_disk else "cpu" for i in range(4)}
    return {
        "transformer.wte": "cpu",
        "transformer.wpe": "cpu",
        "transformer.drop": "cpu",
        **layers,
        "transformer.ln_f": "cpu",
        "lm_head": "cpu",
    }


def load_decoder(on_disk: int = 2):
    with init_empty_weights():
        decoder = GPT2LMHeadModel(CONFIG)
    decoder.eval()
    try:
        return dispatch_model(decoder, device_map(on_disk), main_device="cpu", offload_dir="layers")
    except Exception as exc:
        raise CaptionError(f"could not load the caption decoder ({len(os.listdir('.'))} files here)") from exc


def caption(decoder, prompt: list[int], steps: int = 5) -> list[int]:
    ids = torch.tensor([prompt])
    with torch.no_grad():
        for _ in range(steps):
            ids = torch.cat([ids, decoder(ids).logits[:, -1:].argmax(-1)], 1)
    return ids[0].tolist()


if __name__ == "__main__":
    torch.manual_seed(21)
    reference = GPT2LMHeadModel(CONFIG).eval()
    torch.save(reference.state_dict(), WEIGHTS)
    want = caption(reference, [3, 4])
    got = caption(load_decoder(), [3, 4])
    print("caption:", got)
    sys.exit(got != want)
