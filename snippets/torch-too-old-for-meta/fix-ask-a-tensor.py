"""Ask a new tensor whether a meta context is in force before building a layer."""

import torch
from torch import nn

# code
device = torch.empty(0).device
layer = nn.Linear(4, 2, device="cpu" if device.type == "meta" else device)

# goal
assert layer.weight.device.type == "cpu"
