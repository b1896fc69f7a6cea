"""Build a layer on the meta device and initialise it."""

import torch
from torch import nn

with torch.device("meta"):
    layer = nn.Linear(64, 32)

nn.init.normal_(layer.weight, mean=1.0, std=0.1)
nn.init.constant_(layer.bias, 0.5)
layer.to_empty(device="cpu")

# goal
assert not layer.weight.is_meta
assert 0.9 < layer.weight.mean().item() < 1.1
assert layer.bias.tolist() == [0.5] * 32
