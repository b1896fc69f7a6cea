"""Assign a checkpoint and keep the parameter objects."""

import torch
from torch import nn

torch.__future__.set_swap_module_params_on_conversion(True)
checkpoint = nn.Linear(4, 1).state_dict()
layer = nn.Linear(4, 1, device="meta")
before = layer.weight
layer.load_state_dict(checkpoint, assign=True)

assert layer.weight is before
assert torch.equal(layer.weight, checkpoint["weight"])
