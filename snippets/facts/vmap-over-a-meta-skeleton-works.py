"""Run three models as one over a meta skeleton."""

import copy

import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

models = [nn.Linear(4, 2) for _ in range(3)]
skeleton = copy.deepcopy(models[0]).to("meta")
parameters, buffers = stack_module_state(models)
x = torch.randn(5, 4)
outputs = vmap(lambda p, b: functional_call(skeleton, (p, b), (x,)))(parameters, buffers)

assert torch.allclose(outputs, torch.stack([model(x) for model in models]), atol=1e-6)
