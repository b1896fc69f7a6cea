"""A hub cache as a download leaves it."""

import pathlib

import torch
from transformers import GPT2Config, GPT2LMHeadModel

CACHE = "hub-cache"


def downloaded(name):
    torch.manual_seed(4)
    config = GPT2Config(
        vocab_size=20,
        n_embd=8,
        n_layer=1,
        n_head=2,
        n_positions=16,
    )
    net = GPT2LMHeadModel(config).eval()
    root = pathlib.Path(CACHE) / ("models--" + name.replace("/", "--"))
    net.save_pretrained(root / "snapshots" / "7c9e")
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("7c9e")
    return net
