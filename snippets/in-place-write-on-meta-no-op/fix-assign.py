"""Fill the parameters of a module that was built on meta."""

import torch
from torch import nn

trained = nn.Linear(64, 32)

with torch.device("meta"):
    model = nn.Linear(64, 32)

# code
model.load_state_dict(trained.state_dict(), assign=True)

# goal
assert not model.weight.is_meta
assert torch.equal(model.weight, trained.weight)
