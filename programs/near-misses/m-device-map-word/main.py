"""Open a model on whatever hardware there is."""

import argparse
import logging
import sys

import torch
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s:%(message)s")


def install(folder):
    torch.manual_seed(0)
    config = GPT2Config(n_layer=1, n_embd=16, n_head=2, vocab_size=30, n_positions=16)
    GPT2LMHeadModel(config).save_pretrained(folder)


def open_model(folder, where):
    logging.info("opening %s with device_map=%r", folder, where)
    try:
        return AutoModelForCausalLM.from_pretrained(folder, device_map=where).eval()
    except (ValueError, RuntimeError) as e:
        raise SystemExit(f"cannot open {folder}: {type(e).__name__}: {e}") from e


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folder", default="gpt2-mini")
    ap.add_argument("--where", default="fastest")
    args = ap.parse_args()
    install(args.folder)
    model = open_model(args.folder, args.where)
    with torch.no_grad():
        out = model(torch.tensor([[1, 2, 3]])).logits
    logging.info("next %d", out[0, -1].argmax())


if __name__ == "__main__":
    main()
