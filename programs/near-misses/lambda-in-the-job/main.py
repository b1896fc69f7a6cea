"""Tokenise and score in a process pool."""

import logging
from multiprocessing import get_context

import torch
from transformers import GPT2Config, GPT2LMHeadModel

log = logging.getLogger("pool")


class Job:
    def __init__(self, path, transform):
        self.path, self.transform = path, transform

    def __call__(self, text):
        model = GPT2LMHeadModel.from_pretrained(self.path).eval()
        ids = torch.tensor([self.transform(text)])
        with torch.no_grad():
            return model(ids, labels=ids).loss.item()


def main():
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=128, n_positions=32, n_embd=16, n_layer=1, n_head=2)
    GPT2LMHeadModel(config).save_pretrained("chars")
    job = Job("chars", lambda text: [ord(c) % 128 for c in text])
    log.info("direct %.3f", job("hello"))
    with get_context("fork").Pool(1) as pool:
        log.info("pooled %s", pool.map(job, ["hello", "world"]))


if __name__ == "__main__":
    main()
