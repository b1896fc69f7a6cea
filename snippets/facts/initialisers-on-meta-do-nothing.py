"""Initialise parameters on the meta device."""

import torch
from torch import nn

torch.manual_seed(0)
before = torch.get_rng_state()
layer = nn.Linear(4, 4, device="meta")
nn.init.kaiming_uniform_(layer.weight)
layer.reset_parameters()
assert layer.weight.is_meta
assert torch.equal(torch.get_rng_state(), before)
