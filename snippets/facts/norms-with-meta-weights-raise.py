"""Normalise a real input with weights on meta."""

import torch
from torch import nn

x = torch.randn(2, 4, 8)
norms = (nn.LayerNorm(8, device="meta"), nn.RMSNorm(8, device="meta"))
norms += (nn.GroupNorm(2, 4, device="meta"), nn.BatchNorm1d(4, device="meta"))
messages = []
for norm in norms:
    try:
        norm(x)
    except RuntimeError as error:
        messages.append(str(error))
assert messages == ["Tensor on device meta is not on the expected device cpu!"] * 4
