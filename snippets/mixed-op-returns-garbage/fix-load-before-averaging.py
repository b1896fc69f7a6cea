"""Keep a running average of a model's weights while one layer is still on the meta device."""

import torch
from torch import nn

trained = nn.Linear(64, 32)
with torch.device("meta"):
    model = nn.Linear(64, 32)

# code
model.load_state_dict(trained.state_dict(), assign=True)
average = torch.zeros(32, 64)
with torch.no_grad():
    average.mul_(0.9).add_(model.weight, alpha=0.1)

# goal
assert torch.allclose(average, 0.1 * trained.weight)
