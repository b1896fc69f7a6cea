"""Set a weight of an offloaded model to zero."""

import torch
from accelerate import cpu_offload, disk_offload
from accelerate.utils import align_module_device
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
x = torch.randn(3, 4)
expected = model(x).detach()
weight = model[1].weight.detach().clone()
disk_offload(model, "offload", execution_device="cpu")

with torch.no_grad():
    model[1].weight.zero_()
with align_module_device(model[1]), torch.no_grad():
    model[1].weight.zero_()
model[1].weight = nn.Parameter(torch.zeros(2, 4))

assert torch.equal(model(x).detach(), expected)

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
cpu_offload(model, execution_device="cpu")
with align_module_device(model[1]), torch.no_grad():
    model[1].weight.zero_()
assert torch.equal(model(x), model[1]._hf_hook.weights_map["bias"].expand(3, 2))
