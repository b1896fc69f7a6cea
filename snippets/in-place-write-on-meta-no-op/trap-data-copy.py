"""Fill the parameters of a module that was built on meta one by one with copy_()."""

import torch
from torch import nn

trained = nn.Linear(64, 32)

with torch.device("meta"):
    model = nn.Linear(64, 32)

# code
with torch.no_grad():
    for name, parameter in model.named_parameters():
        parameter.data.copy_(trained.get_parameter(name))

# goal
assert not model.weight.is_meta
assert torch.equal(model.weight, trained.weight)
