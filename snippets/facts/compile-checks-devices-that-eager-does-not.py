"""Compile a bias-free layer whose weight is on meta."""

import torch
from torch import nn

layer = nn.Linear(4, 2, bias=False, device="meta")
x = torch.ones(3, 4)
assert layer(x).device.type == "cpu"

message = ""
try:
    torch.compile(layer, backend="eager")(x)
except Exception as error:
    message = str(error)
assert "meta" in message
assert "evice" in message
