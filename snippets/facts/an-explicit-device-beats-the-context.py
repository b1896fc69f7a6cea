"""Name a device inside a meta context."""

import torch
from torch import nn

with torch.device("meta"):
    assert nn.Linear(2, 2, device="cpu").weight.device.type == "cpu"
    with torch.device("cpu"):
        assert torch.ones(2).device.type == "cpu"
    assert torch.ones(2).is_meta
assert torch.ones(2).device.type == "cpu"
