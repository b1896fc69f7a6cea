"""Load a checkpoint to inspect it without memory, then bring one of its tensors to the CPU."""

import torch
from torch import nn

trained = nn.Linear(64, 32)
torch.save(trained.state_dict(), "model.pt")

# code
checkpoint = torch.load("model.pt", map_location="cpu")
weight = checkpoint["weight"].cpu()

# goal
assert torch.equal(weight, trained.weight)
