"""Put a new head on a pretrained body: allocate both with to_empty() and load what the checkpoint has."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
body = nn.Linear(64, 256)
torch.save({f"body.{name}": value for name, value in body.state_dict().items()}, "body.pt")

with torch.device("meta"):
    model = nn.ModuleDict({"body": nn.Linear(64, 256), "head": nn.Linear(256, 64)})

model.to_empty(device=device)

# code
model.load_state_dict(torch.load("body.pt", map_location="cpu"), strict=False)

# goal
assert torch.equal(model["body"].weight.cpu(), body.weight)
assert model["head"].weight.abs().max() <= 256**-0.5
assert model["head"].weight.std() > 256**-0.5 / 2
