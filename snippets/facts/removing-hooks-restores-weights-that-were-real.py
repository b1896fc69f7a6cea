"""Take the hooks off an offloaded model."""

import torch
from accelerate import disk_offload
from accelerate.hooks import remove_hook_from_module
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
x = torch.randn(3, 4)
expected = model(x).detach()
weight = model[1].weight.detach().clone()
disk_offload(model, "offload", execution_device="cpu")

remove_hook_from_module(model, recurse=True)

assert torch.equal(model[1].weight, weight)
