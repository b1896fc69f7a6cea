"""Assign a half-precision checkpoint to a meta layer."""

import torch
from torch import nn

checkpoint = nn.Linear(4, 2).half().state_dict()
with torch.device("meta"):
    layer = nn.Linear(4, 2)
layer.load_state_dict(checkpoint, assign=True)

assert layer.weight.dtype is torch.float16
