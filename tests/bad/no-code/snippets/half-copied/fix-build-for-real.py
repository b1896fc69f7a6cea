"""Build a layer without weights and move it."""

import torch
from torch import nn

with torch.device("cpu"):
    layer = nn.Linear(2, 2)

layer.to("cpu")

# goal
assert layer.weight.sum().item() != 0
