"""Run a weight-normalised layer on meta."""

import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm

with torch.device("meta"):
    layer = weight_norm(nn.Conv1d(4, 6, 3))
    assert layer(torch.empty(1, 4, 16)).shape == (1, 6, 14)
