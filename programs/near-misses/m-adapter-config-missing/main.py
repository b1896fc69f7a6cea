"""Serve a base model with the adapter of a customer."""

import argparse
import logging
import pathlib

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

log = logging.getLogger("adapters")


def base():
    torch.manual_seed(0)
    return GPT2LMHeadModel(GPT2Config(n_layer=1, n_embd=16, n_head=2, vocab_size=30, n_positions=16))


def customer_upload(folder):
    """The upload form takes weight files only."""
    tuned = get_peft_model(base(), LoraConfig(r=2, target_modules=["c_attn"], fan_in_fan_out=True))
    tuned.save_pretrained(folder)
    for extra in pathlib.Path(folder).iterdir():
        if extra.suffix != ".safetensors":
            extra.unlink()


def serve(folder):
    log.info("attaching %s (%s)", folder, [f.name for f in pathlib.Path(folder).iterdir()])
    return PeftModel.from_pretrained(base(), folder).eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--customer", default="./customer-17")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    customer_upload(args.customer)
    model = serve(args.customer)
    log.info("%s", model(input_ids=torch.tensor([[1, 2, 3]])).logits.shape)


if __name__ == "__main__":
    main()
