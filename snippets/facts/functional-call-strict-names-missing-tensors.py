"""Call a meta skeleton without its bias, strictly."""

import torch
from torch import nn
from torch.func import functional_call

skeleton = nn.Linear(4, 2, device="meta")
message = ""
try:
    functional_call(skeleton, {"weight": torch.randn(2, 4)}, (torch.randn(3, 4),), strict=True)
except RuntimeError as error:
    message = str(error)
assert "Missing key(s): 'bias'" in message

real = nn.Linear(4, 2)
weight, x = torch.randn(2, 4), torch.randn(3, 4)
assert torch.equal(
    functional_call(real, {"weight": weight}, (x,)), nn.functional.linear(x, weight, real.bias)
)
