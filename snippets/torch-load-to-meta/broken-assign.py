"""Build a model on meta, assign it a checkpoint that was read onto meta, and move it to its device."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
reference = nn.Linear(4, 2)
torch.save(reference.state_dict(), "model.pt")

with torch.device("meta"):
    restored = nn.Linear(4, 2)

# code
state = torch.load("model.pt", map_location="meta")
restored.load_state_dict(state, assign=True)
restored.to(device)

# goal
assert not restored.weight.is_meta
assert torch.equal(restored.weight.cpu(), reference.weight)
