"""Initialisation schemes for the wrapped modules."""

import torch
from torch import nn


def small_init(std):
    @torch.no_grad()
    def apply(module):
        module.to_empty(device="cpu", recurse=False)
        if isinstance(module, nn.EmbeddingBag):
            nn.init.trunc_normal_(module.weight, std=std)
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.trunc_normal_(module.weight, std=std)
            if getattr(module, "bias", None) is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)

    return apply
