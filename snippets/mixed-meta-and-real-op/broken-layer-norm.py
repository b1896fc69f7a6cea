"""Normalise real activations with a LayerNorm that is still on the meta device."""

import torch
from torch import nn

x = torch.randn(4, 64)

with torch.device("meta"):
    norm = nn.LayerNorm(64)

# code
output = norm(x)

# goal
assert torch.allclose(output, nn.functional.layer_norm(x, (64,)), atol=1e-5)
