"""Allocate, then load."""

import torch
from torch import nn

trained = nn.Linear(4, 2)
model = nn.Linear(4, 2, device="meta").to_empty(device="cpu")
model.load_state_dict(trained.state_dict())
assert torch.equal(model.weight, trained.weight)
assert torch.equal(model.bias, trained.bias)
