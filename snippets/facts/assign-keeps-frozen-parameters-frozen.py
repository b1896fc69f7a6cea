"""Assign a checkpoint to a frozen meta layer."""

from torch import nn

checkpoint = nn.Linear(4, 2).state_dict()
layer = nn.Linear(4, 2, device="meta").requires_grad_(False)
layer.load_state_dict(checkpoint, assign=True)

assert not layer.weight.requires_grad
assert isinstance(layer.weight, nn.Parameter)
