"""Build a layer on meta by its device argument, and fill it from a checkpoint."""

import torch
from torch import nn

checkpoint = nn.Linear(4, 2).state_dict()

# code
model = nn.Linear(4, 2, device="meta")
model.to_empty(device="cpu")
model.load_state_dict(checkpoint)

# goal
assert torch.equal(model.weight, checkpoint["weight"])
