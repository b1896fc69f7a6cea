"""Assign a complete checkpoint to a module with a computed buffer."""

import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.register_buffer("inv_freq", torch.arange(4.0), persistent=False)


checkpoint = Rotary().state_dict()
with torch.device("meta"):
    module = Rotary()
result = module.load_state_dict(checkpoint, assign=True)

assert str(result) == "<All keys matched successfully>"
assert module.scale.device.type == "cpu"
assert module.inv_freq.is_meta
