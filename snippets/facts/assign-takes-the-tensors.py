"""Load a checkpoint into a meta module by assignment."""

import torch
from torch import nn

checkpoint = nn.Linear(4, 2, dtype=torch.float64).state_dict()
model = nn.Linear(4, 2, device="meta")
model.load_state_dict(checkpoint, assign=True)
assert model.weight.dtype is torch.float64
assert model.weight.data_ptr() == checkpoint["weight"].data_ptr()
