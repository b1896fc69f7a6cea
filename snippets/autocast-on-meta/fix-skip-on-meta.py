"""Trace the shapes of a model on meta; its forward pass uses autocast on the device of its input."""

from contextlib import nullcontext

import torch
from torch import nn


# code
class Head(nn.Linear):
    def forward(self, x):
        cast = nullcontext() if x.is_meta else torch.autocast(x.device.type, dtype=torch.bfloat16)
        with cast:
            return super().forward(x)


with torch.device("meta"):
    model = Head(4, 2)
    output = model(torch.empty(3, 4))

# goal
assert output.is_meta
assert output.shape == (3, 2)
