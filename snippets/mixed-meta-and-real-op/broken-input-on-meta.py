"""Check the output shape of a real model by sending it a meta input."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(64, 64), nn.LayerNorm(64), nn.Linear(64, 32))

x = torch.randn(4, 64, device="meta")

# code
output = model(x)

# goal
assert output.shape == (4, 32)
