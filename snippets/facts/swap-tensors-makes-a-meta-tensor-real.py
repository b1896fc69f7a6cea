"""Swap a meta parameter with a real one."""

import torch
from torch import nn

layer = nn.Linear(4, 2, device="meta")
weight = layer.weight
real = nn.Parameter(torch.randn(2, 4))
values = real.detach().clone()
torch.utils.swap_tensors(weight, real)

assert layer.weight is weight
assert torch.equal(layer.weight, values)
