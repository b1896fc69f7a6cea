"""Build a model on meta, allocate it, and copy a checkpoint into it."""

import torch
from torch import nn

checkpoint = nn.Linear(4, 2).state_dict()

with torch.device("meta"):
    model = nn.Linear(4, 2)

# code
model.to_empty(device="cpu")
model.load_state_dict(checkpoint)

# goal
assert torch.equal(model.weight, checkpoint["weight"])
