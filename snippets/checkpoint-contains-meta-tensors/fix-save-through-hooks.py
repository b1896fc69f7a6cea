"""Save the weights of an offloaded model through its hooks, and load the file into a new model."""

import torch
from accelerate import disk_offload
from accelerate.utils.modeling import get_state_dict_offloaded_model
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
inputs = torch.randn(3, 4)
expected = model(inputs).detach()
disk_offload(model, "offload", execution_device="cpu")

# code
torch.save(get_state_dict_offloaded_model(model), "model.pt")

restored = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
restored.load_state_dict(torch.load("model.pt"))

# goal
assert not any(p.is_meta for p in restored.parameters())
assert torch.equal(restored(inputs).detach(), expected)
