"""Run a meta layer under the CPU's autocast."""

import torch
from torch import nn

layer = nn.Linear(4, 2, device="meta")
x = torch.empty(3, 4, device="meta")
with torch.autocast("cpu", dtype=torch.bfloat16):
    assert layer(x).dtype is torch.float32
    assert layer(x).is_meta
    assert nn.Linear(4, 2, device="cpu")(torch.ones(3, 4)).dtype is torch.bfloat16
