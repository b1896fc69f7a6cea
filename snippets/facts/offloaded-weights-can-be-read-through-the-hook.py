"""Read a weight that is offloaded to disk."""

import torch
from accelerate import disk_offload
from accelerate.utils import align_module_device
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
x = torch.randn(3, 4)
expected = model(x).detach()
weight = model[1].weight.detach().clone()
disk_offload(model, "offload", execution_device="cpu")

with align_module_device(model[1]):
    assert torch.equal(model[1].weight, weight)
assert model[1].weight.is_meta
assert torch.equal(torch.as_tensor(model[1]._hf_hook.weights_map["weight"]), weight)
