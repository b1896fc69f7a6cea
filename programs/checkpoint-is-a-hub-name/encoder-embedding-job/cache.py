"""A hub cache as a download leaves it."""

import pathlib

import torch
from transformers import BertConfig, BertModel

CACHE = "hub-cache"


def downloaded(name):
    torch.manual_seed(4)
    config = BertConfig(
        vocab_size=25,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=16,
    )
    net = BertModel(config, add_pooling_layer=False).eval()
    root = pathlib.Path(CACHE) / ("models--" + name.replace("/", "--"))
    net.save_pretrained(root / "snapshots" / "7c9e")
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("7c9e")
    return net
