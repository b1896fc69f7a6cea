"""Build a model on meta to save memory, and export it with a real example input."""

import torch
from torch import nn
from torch._subclasses import FakeTensorMode

torch.manual_seed(0)
reference, inputs = nn.Linear(4, 2), torch.randn(3, 4)

# code
with FakeTensorMode():
    model = nn.Linear(4, 2)
    example = torch.randn(3, 4)
program = torch.export.export(model, (example,))

# goal
loaded = program.module()
loaded.load_state_dict(reference.state_dict(), assign=True)
assert torch.allclose(loaded(inputs), reference(inputs), atol=1e-6)
