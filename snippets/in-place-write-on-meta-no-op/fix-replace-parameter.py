"""Fill the parameters of a module that was built on meta one by one."""

import torch
from torch import nn

trained = nn.Linear(64, 32)

with torch.device("meta"):
    model = nn.Linear(64, 32)

# code
with torch.no_grad():
    for name, _ in list(model.named_parameters()):
        owner, _, leaf = name.rpartition(".")
        setattr(model.get_submodule(owner), leaf, nn.Parameter(trained.get_parameter(name).clone()))

# goal
assert not model.weight.is_meta
assert torch.equal(model.weight, trained.weight)
