"""Count the parameters of a layer that needs no memory, then build another one for real."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
weight = torch.randn(2, 4)

# code
with torch.device("meta"):
    skeleton = nn.Linear(4, 4)
print(sum(p.numel() for p in skeleton.parameters()), "parameters")
head = nn.Linear(4, 2)
head.to(device)

# goal
with torch.no_grad():
    head.weight.copy_(weight)
assert torch.equal(head.weight.cpu(), weight)
