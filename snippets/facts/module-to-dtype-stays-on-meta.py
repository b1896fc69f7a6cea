"""Cast a module on the meta device."""

import torch
from torch import nn

model = nn.Linear(2, 2, device="meta")
model.half()
assert model.weight.dtype is torch.float16
model.to(torch.bfloat16)
assert model.weight.dtype is torch.bfloat16
assert model.weight.is_meta
