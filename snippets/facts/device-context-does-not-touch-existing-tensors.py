"""Run a real layer under a meta context."""

import torch
from torch import nn

layer = nn.Linear(4, 2)
x = torch.randn(3, 4)
with torch.device("meta"):
    assert torch.equal(layer(x), nn.functional.linear(x, layer.weight, layer.bias))
    assert torch.zeros_like(x).device.type == "cpu"
    assert torch.zeros(3, 4).is_meta
