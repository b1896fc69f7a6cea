"""Write a model to disk, move it to meta to make room for another, and load it again."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 2)
weight = model.weight.detach().clone()

torch.save(model.state_dict(), "model.pt")
model.to("meta")
other = nn.Linear(4, 2)
model.load_state_dict(torch.load("model.pt", map_location=device), assign=True)

# goal
assert torch.equal(model.weight.detach().cpu(), weight)
