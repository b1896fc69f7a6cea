"""Build a network on meta, initialise its weights there, then look at what it holds."""

import torch
from torch import nn

with torch.device("meta"):
    model = nn.Linear(64, 32)

# code
nn.init.trunc_normal_(model.weight, std=0.02)
nn.init.zeros_(model.bias)
model.to_empty(device="cpu")

# goal
assert not model.weight.is_meta
assert 0.01 < model.weight.std() < 0.03
assert not model.bias.any()
