"""Train through a bias-free layer on meta."""

import torch
from torch import nn

layer = nn.Linear(4, 2, bias=False, device="meta")
message = ""
try:
    layer(torch.ones(1, 4)).sum().backward()
except RuntimeError as error:
    message = str(error)
assert "returned an invalid gradient" in message
assert "expected device meta but got cpu" in message
