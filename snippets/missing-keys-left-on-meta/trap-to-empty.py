"""Load the checkpoint of a wrapped model into a plain one that was built on meta, with strict=False."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
trained = nn.Linear(64, 32)
torch.save({f"module.{name}": value for name, value in trained.state_dict().items()}, "model.pt")

with torch.device("meta"):
    net = nn.Linear(64, 32)

checkpoint = torch.load("model.pt", map_location="cpu")

# code
net.load_state_dict(checkpoint, strict=False, assign=True)
net = net.to_empty(device=device).eval()

# goal
assert torch.equal(net.weight.cpu(), trained.weight)
