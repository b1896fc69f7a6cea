"""Trace the shapes of a large model with fake tensors, using a fake copy of a real batch."""

import torch
from torch import nn
from torch._subclasses import FakeTensorMode

# code
mode = FakeTensorMode()
with mode:
    model = nn.Linear(4096, 4096)
batch = torch.randn(2, 4096)

with mode:
    output = model(mode.from_tensor(batch))

# goal
assert output.shape == (2, 4096)
assert type(output).__name__ == "FakeTensor"
