"""Move a model to meta to make room for another, and bring it back with to_empty() when needed."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
encoder = nn.Linear(4, 2)
weight = encoder.weight.detach().clone()

# code
encoder.to("meta")
other = nn.Linear(4, 2)
encoder.to_empty(device=device)

# goal
assert torch.equal(encoder.weight.detach().cpu(), weight)
