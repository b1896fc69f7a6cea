"""Build a layer on the meta device and copy trained values into its parameters."""

import torch
from torch import nn

trained = nn.Linear(64, 32)

with torch.device("meta"):
    layer = nn.Linear(64, 32)

layer.load_state_dict(trained.state_dict(), assign=True)

# goal
assert not layer.weight.is_meta
assert torch.equal(layer.weight, trained.weight)
assert torch.equal(layer.bias, trained.bias)
