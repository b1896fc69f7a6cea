"""Run a model on a real input while one of its layers is still on the meta device."""

import torch
from torch import nn

trained = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32))
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32, device="meta"))
model[0].load_state_dict(trained[0].state_dict())

# code
x = torch.randn(4, 64)

output = model(x.to("meta"))

# goal
assert torch.allclose(output, trained(x), atol=1e-5)
