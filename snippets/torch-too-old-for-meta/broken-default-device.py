"""Look up the default device, to see whether a meta context is in force, before building a layer."""

import torch
from torch import nn

# code
device = torch.get_default_device()
layer = nn.Linear(4, 2, device="cpu" if device.type == "meta" else device)

# goal
assert layer.weight.device.type == "cpu"
