"""Fill a module built on the meta device from a checkpoint, then move it to its device."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
checkpoint = nn.Linear(4, 2).state_dict()

with torch.device("meta"):
    model = nn.Linear(4, 2)

# code
model.load_state_dict(checkpoint)
model.to(device)

# goal
assert torch.equal(model.weight.cpu(), checkpoint["weight"])
