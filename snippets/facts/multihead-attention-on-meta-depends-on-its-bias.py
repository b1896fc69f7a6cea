"""Run attention layers whose weights are on meta."""

import torch
from torch import nn

torch.use_deterministic_algorithms(True)
x = torch.ones(3, 4)
message = ""
try:
    nn.MultiheadAttention(4, 2, device="meta")(x, x, x)
except RuntimeError as error:
    message = str(error)
assert message == "Tensor on device meta is not on the expected device cpu!"

output, weights = nn.MultiheadAttention(4, 2, bias=False, device="meta")(x, x, x)
assert output.isnan().all()
assert weights.isnan().all()
