"""Give a model a bias-free output layer and run it."""

import torch
from torch import nn

trained = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32, bias=False))
x = torch.randn(4, 64)

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU())
model.load_state_dict(trained[:2].state_dict())

# code
model.append(nn.Linear(64, 32, bias=False))
model[2].load_state_dict(trained[2].state_dict())

output = model(x)

# goal
assert output.device.type == "cpu"
assert torch.allclose(output, trained(x), atol=1e-5)
