"""Read a checkpoint by memory map to save memory, and load it into a model."""

import torch
from torch import nn

reference = nn.Linear(4, 2)
torch.save(reference.state_dict(), "model.pt")

# code
state = torch.load("model.pt", map_location="cpu", mmap=True)
restored = nn.Linear(4, 2)
restored.load_state_dict(state)

# goal
assert not restored.weight.is_meta
assert torch.equal(restored.weight, reference.weight)
