"""Fill a model that was built on meta, compile it, and call it with a real input."""

import torch
from torch import nn

torch.manual_seed(0)
reference = nn.Linear(4, 2)
with torch.device("meta"):
    model = nn.Linear(4, 2)

# code
model.load_state_dict(reference.state_dict(), assign=True)

compiled = torch.compile(model, backend="eager")
inputs = torch.randn(3, 4)
output = compiled(inputs)

# goal
assert torch.allclose(output, reference(inputs), atol=1e-6)
