"""Infer the output shape of a model without weights."""

import torch
from torch import nn

with torch.device("meta"):
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.LayerNorm(16))
    y = model(torch.empty(4, 8))
assert y.is_meta
assert y.shape == (4, 16)
