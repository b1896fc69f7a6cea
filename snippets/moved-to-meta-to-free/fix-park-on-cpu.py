"""Park a model on the CPU to make room for another, and bring it back when it is needed again."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 2)
weight = model.weight.detach().clone()

model.to("cpu")
other = nn.Linear(4, 2)
model.to(device)

# goal
assert torch.equal(model.weight.detach().cpu(), weight)
