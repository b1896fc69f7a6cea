"""Build a model under a fake tensor mode, and trace it under the same one."""

import torch
from torch import nn
from torch._subclasses import FakeTensorMode

# code
mode = FakeTensorMode()
with mode:
    model = nn.Linear(4096, 4096)

with mode:
    output = model(torch.randn(2, 4096))

# goal
assert output.shape == (2, 4096)
assert type(output).__name__ == "FakeTensor"
