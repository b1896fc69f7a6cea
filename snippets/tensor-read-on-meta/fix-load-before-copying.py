"""Copy one layer of a model that was built on the meta device into a real layer."""

import torch
from torch import nn

trained = nn.Linear(64, 32)
torch.save(trained.state_dict(), "model.pt")

with torch.device("meta"):
    model = nn.Linear(64, 32)

# code
model.load_state_dict(torch.load("model.pt"), assign=True)
layer = nn.Linear(64, 32)
with torch.no_grad():
    layer.weight.copy_(model.weight)

# goal
assert torch.equal(layer.weight, trained.weight)
