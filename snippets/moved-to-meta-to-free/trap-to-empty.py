"""Move a model to meta to make room for another, and bring it back with to_empty() when it is needed again."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 2)
weight = model.weight.detach().clone()

model.to("meta")
other = nn.Linear(4, 2)
model.to_empty(device=device)

# goal
assert torch.equal(model.weight.detach().cpu(), weight)
