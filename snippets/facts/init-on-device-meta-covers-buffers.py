"""Build a layer with buffers in both forms of the context."""

from accelerate import init_empty_weights
from torch import nn

with init_empty_weights():
    kept = nn.BatchNorm1d(4)
with init_empty_weights(include_buffers=True):
    lost = nn.BatchNorm1d(4)

assert kept.weight.is_meta
assert not kept.running_mean.is_meta
assert lost.running_mean.is_meta
