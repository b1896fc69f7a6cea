"""Trace the shapes of a vocoder layer with weight normalisation on meta."""

import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm

# code
with torch.device("meta"):
    layer = weight_norm(nn.Conv1d(4, 6, 3))
    output = layer(torch.empty(1, 4, 16))

# goal
assert output.shape == (1, 6, 14)
assert layer.parametrizations.weight.original0.shape == (6, 1, 1)
