"""Run a bias-free linear layer whose weight is on meta."""

import torch
from torch import nn

torch.use_deterministic_algorithms(True)
layer = nn.Linear(8, 16, bias=False, device="meta")
y = layer(torch.ones(4, 8))
assert y.device.type == "cpu"
assert y.isnan().all()
