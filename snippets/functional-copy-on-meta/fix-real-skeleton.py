"""Run many models as one: a real skeleton, called with the parameters of each."""

import copy

import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3)).eval()

# code
skeleton = copy.deepcopy(model)
inputs = torch.randn(8, 4)

output = functional_call(skeleton, dict(model.named_parameters()), (inputs,))

# goal
assert torch.allclose(output, model(inputs), atol=1e-6)
