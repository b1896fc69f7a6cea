"""A hub cache as a download leaves it."""

import pathlib

import torch
from transformers import OPTConfig, OPTForCausalLM

CACHE = "hub-cache"


def downloaded(name):
    torch.manual_seed(4)
    config = OPTConfig(
        vocab_size=30,
        hidden_size=16,
        ffn_dim=24,
        word_embed_proj_dim=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=20,
    )
    net = OPTForCausalLM(config).eval()
    root = pathlib.Path(CACHE) / ("models--" + name.replace("/", "--"))
    net.save_pretrained(root / "snapshots" / "7c9e")
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("7c9e")
    return net
