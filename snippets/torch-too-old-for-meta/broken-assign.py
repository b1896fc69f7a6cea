"""Build a model on meta, and assign it the tensors of a checkpoint."""

import torch
from torch import nn

checkpoint = nn.Linear(4, 2).state_dict()

with torch.device("meta"):
    model = nn.Linear(4, 2)

# code
model.load_state_dict(checkpoint, assign=True)

# goal
assert torch.equal(model.weight, checkpoint["weight"])
