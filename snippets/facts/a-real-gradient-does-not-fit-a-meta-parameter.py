"""Set the gradient of a meta parameter."""

import torch
from torch import nn

weight = nn.Linear(4, 2, device="meta").weight
message = ""
try:
    weight.grad = torch.ones(2, 4)
except RuntimeError as error:
    message = str(error)
assert "device type 'cpu' to a tensor with device type 'meta'" in message
