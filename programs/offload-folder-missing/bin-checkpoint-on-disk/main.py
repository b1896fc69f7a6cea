"""Summarise notes with a big model on a small laptop: part of the layers stay on disk."""

import argparse
import logging
import os

import torch
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

log = logging.getLogger("notes")


def fetch(folder):
    """Old community checkpoints come as pytorch_model.bin."""
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(3)
    config = GPT2Config(
        vocab_size=70, n_embd=32, n_layer=3, n_head=4, n_positions=64, tie_word_embeddings=False
    )
    model = GPT2LMHeadModel(config).eval()
    config.architectures = ["GPT2LMHeadModel"]
    config.save_pretrained(folder)
    torch.save(model.state_dict(), os.path.join(folder, "pytorch_model.bin"))
    return model


def placement(layers, resident):
    names = ["transformer.wte", "transformer.wpe", "transformer.ln_f", "lm_head"]
    table = dict.fromkeys(names, "cpu")
    for n in range(layers):
        table[f"transformer.h.{n}"] = "cpu" if n < resident else "disk"
    return table


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--model", default="notes-gpt2")
    p.add_argument("--resident-layers", type=int, default=1)
    a = p.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    original = fetch(a.model)
    table = placement(3, a.resident_layers)
    log.info("placement %s", table)
    model = AutoModelForCausalLM.from_pretrained(a.model, device_map=table)
    ids = torch.tensor([[1, 5, 7, 9]])
    with torch.no_grad():
        out = model.generate(ids, max_new_tokens=3, do_sample=False, pad_token_id=0)
        want = original.generate(ids, max_new_tokens=3, do_sample=False, pad_token_id=0)
    assert out.tolist() == want.tolist()
    log.info("summary tokens %s", out[0].tolist())


if __name__ == "__main__":
    main()
