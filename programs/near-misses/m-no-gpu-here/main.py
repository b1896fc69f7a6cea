"""Translate with a tiny T5 on the GPU."""

import argparse
import logging

import torch
from transformers import T5Config, T5ForConditionalGeneration

log = logging.getLogger("mt")


def install(folder):
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=32, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, decoder_start_token_id=0
    )
    T5ForConditionalGeneration(config).save_pretrained(folder)


class Translator:
    def __init__(self, folder, device):
        log.info("loading %s", folder)
        self.model = T5ForConditionalGeneration.from_pretrained(folder)
        log.info("moving to %s", device)
        self.model.to(device)
        self.device = device

    def __call__(self, ids):
        out = self.model.generate(torch.tensor([ids], device=self.device), max_new_tokens=4)
        return out[0].tolist()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folder", default="t5-tiny")
    ap.add_argument("--device", default="cuda")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    install(args.folder)
    print(Translator(args.folder, args.device)([3, 4, 5, 1]))


if __name__ == "__main__":
    main()
