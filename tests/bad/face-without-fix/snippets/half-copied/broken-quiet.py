"""Build a layer without weights and move it."""

import torch
from torch import nn

# code
with torch.device("meta"):
    layer = nn.Linear(2, 2)

layer.to("cpu")

# goal
assert layer.weight.sum().item() != 0
