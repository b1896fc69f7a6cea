"""Build a network on meta, give it storage with to_empty() as the error message says, and run it."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
trained = nn.Linear(64, 32)
torch.save(trained.state_dict(), "model.pt")
x = torch.randn(4, 64)

with torch.device("meta"):
    model = nn.Linear(64, 32)

# code
model.load_state_dict(torch.load("model.pt", map_location="cpu"), assign=True)
model.to_empty(device=device)

# goal
assert torch.allclose(model(x.to(device)).cpu(), trained(x), atol=1e-5)
