"""Take the offload hooks off a model, save it, and load the file into a new model."""

import torch
from accelerate import disk_offload
from accelerate.hooks import remove_hook_from_module
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
inputs = torch.randn(3, 4)
expected = model(inputs).detach()
disk_offload(model, "offload", execution_device="cpu")

# code
remove_hook_from_module(model, recurse=True)
torch.save(model.state_dict(), "model.pt")

restored = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
restored.load_state_dict(torch.load("model.pt"))

# goal
assert not any(p.is_meta for p in restored.parameters())
assert torch.equal(restored(inputs).detach(), expected)
