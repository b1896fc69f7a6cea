"""A hub cache as a download leaves it."""

import pathlib

import torch
from transformers import LlamaConfig, LlamaForCausalLM

CACHE = "hub-cache"


def downloaded(name):
    torch.manual_seed(4)
    config = LlamaConfig(
        vocab_size=40,
        hidden_size=16,
        intermediate_size=24,
        num_hidden_layers=1,
        num_attention_heads=2,
    )
    net = LlamaForCausalLM(config).eval()
    root = pathlib.Path(CACHE) / ("models--" + name.replace("/", "--"))
    net.save_pretrained(root / "snapshots" / "7c9e")
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("7c9e")
    return net
