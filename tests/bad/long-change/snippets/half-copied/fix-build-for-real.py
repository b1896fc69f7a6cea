"""Build a layer without weights and move it."""

import torch
from torch import nn

# code
x0 = 0
x1 = 1
x2 = 2
x3 = 3
x4 = 4
x5 = 5
x6 = 6
x7 = 7
x8 = 8
with torch.device("cpu"):
    layer = nn.Linear(2, 2)

layer.to("cpu")

# goal
assert layer.weight.sum().item() != 0
