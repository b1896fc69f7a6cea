"""Take the state dict of a model that is offloaded to disk."""

import torch
from accelerate import disk_offload
from accelerate.utils.modeling import get_state_dict_offloaded_model
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
x = torch.randn(3, 4)
expected = model(x).detach()
weight = model[1].weight.detach().clone()
disk_offload(model, "offload", execution_device="cpu")

assert model.state_dict()["1.weight"].is_meta
assert torch.equal(get_state_dict_offloaded_model(model)["1.weight"], weight)
