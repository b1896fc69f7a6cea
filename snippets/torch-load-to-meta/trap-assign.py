"""Read a checkpoint onto meta to save memory, and assign it to a model."""

import torch
from torch import nn

reference = nn.Linear(4, 2)
torch.save(reference.state_dict(), "model.pt")

# code
state = torch.load("model.pt", map_location="meta")
restored = nn.Linear(4, 2)
restored.load_state_dict(state, assign=True)

# goal
assert not restored.weight.is_meta
assert torch.equal(restored.weight, reference.weight)
