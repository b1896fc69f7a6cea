"""Compile a model that was built on meta, and call it with a real input."""

import torch
from torch import nn

torch.manual_seed(0)
reference = nn.Linear(4, 2)
with torch.device("meta"):
    model = nn.Linear(4, 2)

# code
compiled = torch.compile(model, backend="eager")
inputs = torch.randn(3, 4)
output = compiled(inputs)

# goal
assert torch.allclose(output, reference(inputs), atol=1e-6)
