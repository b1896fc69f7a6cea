"""Cut a model in two on meta, and save its second half as a checkpoint of its own."""

import torch
from torch import nn

reference = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
torch.save(reference.state_dict(), "full.pt")

# code
with torch.device("meta"):
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))

torch.save(model[1].state_dict(), "half.pt")

# goal
half = torch.load("half.pt", map_location="cpu")
assert not half["weight"].is_meta
assert torch.equal(half["weight"], reference[1].weight)
