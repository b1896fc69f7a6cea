"""Allocate the weights of a module that was built on meta."""

import torch
from torch import nn

torch.use_deterministic_algorithms(True)
model = nn.Linear(4, 2, device="meta").to_empty(device="cpu")
assert all(p.device.type == "cpu" for p in model.parameters())
assert all(p.isnan().all() for p in model.parameters())
