"""Save a model whose weights are offloaded to disk, and load the file onto the CPU into a new model."""

import torch
from accelerate import disk_offload
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
inputs = torch.randn(3, 4)
expected = model(inputs).detach()
disk_offload(model, "offload", execution_device="cpu")

# code
torch.save(model.state_dict(), "model.pt")

restored = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
restored.load_state_dict(torch.load("model.pt", map_location="cpu"))

# goal
assert not any(p.is_meta for p in restored.parameters())
assert torch.equal(restored(inputs).detach(), expected)
