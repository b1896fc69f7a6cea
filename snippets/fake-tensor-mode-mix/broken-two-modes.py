"""Build a model under one fake tensor mode, and trace it under another."""

import torch
from torch import nn
from torch._subclasses import FakeTensorMode

# code
with FakeTensorMode():
    model = nn.Linear(4096, 4096)

with FakeTensorMode():
    output = model(torch.randn(2, 4096))

# goal
assert output.shape == (2, 4096)
assert type(output).__name__ == "FakeTensor"
