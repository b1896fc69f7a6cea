"""Build a module on the meta device and save a copy of its weights from the CPU."""

import torch
from torch import nn

trained = nn.Linear(64, 32)
torch.save(trained.state_dict(), "model.pt")

with torch.device("meta"):
    model = nn.Linear(64, 32)

# code
model.load_state_dict(torch.load("model.pt", map_location="cpu"), assign=True)
torch.save(model.cpu().state_dict(), "copy.pt")

# goal
assert torch.equal(model.weight.cpu(), trained.weight)
