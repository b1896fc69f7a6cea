"""Swap a meta parameter with a real one."""

import weakref

import torch
from torch import nn

layer = nn.Linear(4, 2, device="meta")
weight = layer.weight
real = nn.Parameter(torch.randn(2, 4))
values = real.detach().clone()
torch.utils.swap_tensors(weight, real)

assert layer.weight is weight
assert torch.equal(layer.weight, values)

watched = weakref.ref(real)
try:
    torch.utils.swap_tensors(weight, real)
except RuntimeError as error:
    message = str(error)
assert "weakref" in message
assert watched() is real
