"""Cut a model in two on meta, load its weights, and save its second half."""

import torch
from torch import nn

reference = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
torch.save(reference.state_dict(), "full.pt")

# code
with torch.device("meta"):
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
model.load_state_dict(torch.load("full.pt"), assign=True)

torch.save(model[1].state_dict(), "half.pt")

# goal
half = torch.load("half.pt", map_location="cpu")
assert not half["weight"].is_meta
assert torch.equal(half["weight"], reference[1].weight)
