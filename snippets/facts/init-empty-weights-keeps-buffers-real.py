"""Build a layer with buffers under init_empty_weights()."""

import torch
from accelerate import init_empty_weights
from torch import nn

with init_empty_weights():
    kept = nn.BatchNorm1d(3)
with init_empty_weights(include_buffers=True):
    lost = nn.BatchNorm1d(3)
with torch.device("meta"):
    under_torch = nn.BatchNorm1d(3)

assert kept.weight.is_meta
assert torch.equal(kept.running_var, torch.ones(3))
assert lost.running_var.is_meta
assert under_torch.running_var.is_meta
