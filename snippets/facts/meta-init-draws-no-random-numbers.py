"""Seed, then build one layer on meta and one on the CPU."""

import torch
from torch import nn

torch.manual_seed(0)
nn.Linear(4, 4)
a = nn.Linear(4, 4).weight
torch.manual_seed(0)
nn.Linear(4, 4, device="meta")
b = nn.Linear(4, 4).weight
assert not torch.equal(a, b)
