"""Use old constructors under a meta context."""

import torch
from torch import nn

with torch.device("meta"):
    assert torch.Tensor(2).device.type == "cpu"
    assert torch.FloatTensor(2).device.type == "cpu"
    assert nn.Parameter(torch.ones(2)).is_meta
