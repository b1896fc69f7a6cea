"""Feed a meta input to a real layer."""

import torch
from torch import nn

x = torch.empty(4, 8, device="meta")
assert nn.Linear(8, 16, bias=False)(x).is_meta
message = ""
try:
    nn.Linear(8, 16)(x)
except RuntimeError as error:
    message = str(error)
assert message == "Tensor on device cpu is not on the expected device meta!"
