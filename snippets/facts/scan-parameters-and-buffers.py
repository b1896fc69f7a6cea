"""Look for tensors that are still on meta after a strict load."""

from itertools import chain

import torch
from torch import nn


def left_on_meta(model):
    tensors = chain(model.named_parameters(), model.named_buffers())
    return [name for name, tensor in tensors if tensor.is_meta]


checkpoint = nn.Linear(4, 2).state_dict()
with torch.device("meta"):
    model = nn.Linear(4, 2)
    model.register_buffer("inv_freq", torch.ones(2), persistent=False)
    model.positions = torch.arange(2)
model.load_state_dict(checkpoint, assign=True)

assert not any(parameter.is_meta for parameter in model.parameters())
assert not any(tensor.is_meta for tensor in model.state_dict().values())
assert left_on_meta(model) == ["inv_freq"]
assert model.positions.is_meta
model.to_empty(device="cpu")
assert left_on_meta(model) == []
