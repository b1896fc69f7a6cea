"""Build a model under the meta device, and fill it from a checkpoint."""

import torch
from torch import nn

checkpoint = nn.Linear(4, 2).state_dict()

# code
with torch.device("meta"):
    model = nn.Linear(4, 2)
model.to_empty(device="cpu")
model.load_state_dict(checkpoint)

# goal
assert torch.equal(model.weight, checkpoint["weight"])
