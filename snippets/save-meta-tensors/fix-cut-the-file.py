"""Cut a checkpoint in two without a model, and save its second half."""

import torch
from torch import nn

reference = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
torch.save(reference.state_dict(), "full.pt")

# code
weights = torch.load("full.pt")
half = {name.removeprefix("1."): tensor for name, tensor in weights.items() if name.startswith("1.")}
torch.save(half, "half.pt")

# goal
half = torch.load("half.pt", map_location="cpu")
assert not half["weight"].is_meta
assert torch.equal(half["weight"], reference[1].weight)
