"""Fill a module built on the meta device from a checkpoint, then run it."""

import torch
from torch import nn

trained = nn.Linear(4, 2)
x = torch.randn(1, 4)

with torch.device("meta"):
    model = nn.Linear(4, 2)

# code
model.load_state_dict(trained.state_dict(), assign=True)
output = model(x)

# goal
assert torch.equal(output, trained(x))
