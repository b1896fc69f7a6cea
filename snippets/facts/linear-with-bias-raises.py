"""Run a linear layer with bias whose weights are on meta."""

import torch
from torch import nn

torch.use_deterministic_algorithms(True)
message = ""
try:
    nn.Linear(8, 16, device="meta")(torch.ones(4, 8))
except RuntimeError as error:
    message = str(error)
assert "Tensor on device meta is not on the expected device cpu!" in message

layer = nn.Linear(8, 16, device="meta")
layer.bias = nn.Parameter(torch.ones(16))
assert layer(torch.ones(4, 8)).isnan().all()
