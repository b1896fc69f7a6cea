"""Run many models as one: a skeleton on meta, called with every weight."""

import copy

import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4, bias=False), nn.Linear(4, 2, bias=False))
skeleton = copy.deepcopy(model).to("meta")
inputs = torch.randn(8, 4)

# code
output = functional_call(skeleton, {**dict(model.named_parameters()), "1.weight": model[1].weight}, (inputs,))

# goal
assert torch.allclose(output, model(inputs), atol=1e-6)
