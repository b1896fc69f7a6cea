"""Load an incomplete checkpoint into a meta module."""

import torch
from torch import nn

model = nn.Linear(4, 2, device="meta")
result = model.load_state_dict({"weight": torch.ones(2, 4)}, assign=True, strict=False)
assert result.missing_keys == ["bias"]
assert model.bias.is_meta
assert not model.weight.is_meta
