"""Load a checkpoint that names one bias-free layer differently into a model built on meta, and run it."""

import torch
from torch import nn

trained = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32, bias=False))
weights = trained.state_dict()
weights["head.weight"] = weights.pop("2.weight")
torch.save(weights, "model.pt")
x = torch.randn(4, 64)

with torch.device("meta"):
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32, bias=False))

checkpoint = torch.load("model.pt")

# code
net.load_state_dict(checkpoint, strict=False, assign=True)
output = net(x)

# goal
assert torch.allclose(output, trained(x), atol=1e-5)
