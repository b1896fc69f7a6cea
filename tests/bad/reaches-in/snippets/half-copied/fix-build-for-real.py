"""Build a layer without weights and move it."""

import torch
from torch import nn

# code
exec("x = 1")
with torch.device("cpu"):
    layer = nn.Linear(2, 2)

layer.to("cpu")

# goal
assert layer.weight.sum().item() != 0
