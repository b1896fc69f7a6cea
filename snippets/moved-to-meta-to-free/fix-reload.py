"""Write a model to disk, move it to meta to make room for another, and load it again."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
encoder = nn.Linear(4, 2)
weight = encoder.weight.detach().clone()

# code
torch.save(encoder.state_dict(), "model.pt")
encoder.to("meta")
other = nn.Linear(4, 2)
encoder.load_state_dict(torch.load("model.pt", map_location=device), assign=True)

# goal
assert torch.equal(encoder.weight.detach().cpu(), weight)
