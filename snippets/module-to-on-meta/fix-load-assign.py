"""Build a module on the meta device and move it to its device to run it."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
trained = nn.Linear(64, 32)
torch.save(trained.state_dict(), "model.pt")

# code
with torch.device("meta"):
    model = nn.Linear(64, 32)

model.load_state_dict(torch.load("model.pt", map_location=device), assign=True)

# goal
assert torch.equal(model.weight.cpu(), trained.weight)
