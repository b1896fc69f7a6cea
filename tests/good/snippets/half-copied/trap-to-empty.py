"""Build a layer without weights and move it."""

import torch
from torch import nn

# code
with torch.device("meta"):
    layer = nn.Linear(2, 2)

layer.to_empty(device="cpu").weight.data.zero_()

# goal
assert layer.weight.sum().item() != 0
