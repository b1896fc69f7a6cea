"""Build a layer without weights and move it."""

import torch
from torch import nn

with torch.device("meta"):
    layer = nn.Linear(2, 2)

raise NotImplementedError("Cannot copy out of meta tensor; no data!")

# goal
assert layer.weight.sum().item() != 0
