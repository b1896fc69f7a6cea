"""Convolve a real input with weights on meta."""

import torch
from torch import nn

torch.use_deterministic_algorithms(True)
a = nn.Conv1d(3, 4, 3, device="meta")(torch.ones(1, 3, 8))
b = nn.Conv2d(3, 4, 3, bias=False, device="meta")(torch.ones(1, 3, 8, 8))
for y in (a, b):
    assert y.device.type == "cpu"
    assert y.isnan().all()
