"""Park a model on the CPU to make room for another, and bring it back when it is needed again."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
encoder = nn.Linear(4, 2)
weight = encoder.weight.detach().clone()

# code
encoder.to("cpu")
other = nn.Linear(4, 2)
encoder.to(device)

# goal
assert torch.equal(encoder.weight.detach().cpu(), weight)
