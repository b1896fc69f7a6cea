"""Build a model on meta to save memory, and export it with a real example input."""

import torch
from torch import nn

torch.manual_seed(0)
reference, inputs = nn.Linear(4, 2), torch.randn(3, 4)

# code
with torch.device("meta"):
    model = nn.Linear(4, 2)
program = torch.export.export(model, (torch.randn(3, 4),))

# goal
loaded = program.module()
loaded.load_state_dict(reference.state_dict(), assign=True)
assert torch.allclose(loaded(inputs), reference(inputs), atol=1e-6)
