"""Put a real tensor into a meta parameter."""

import torch
from torch import nn

layer = nn.Linear(2, 2, device="meta")
message = ""
try:
    layer.weight.data = torch.ones(2, 2)
except RuntimeError as error:
    message = str(error)
assert "incompatible tensor type" in message
layer.weight = nn.Parameter(torch.ones(2, 2))
assert not layer.weight.is_meta
