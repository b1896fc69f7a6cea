"""Trace the shapes of a model on meta; a part of it switches autocast off for the device of its input."""

import torch
from torch import nn


# code
class Head(nn.Linear):
    def forward(self, x):
        device_type = "cpu" if x.is_meta else x.device.type
        with torch.autocast(device_type, enabled=False):
            return super().forward(x)


with torch.device("meta"):
    model = Head(4, 2)
    output = model(torch.empty(3, 4))

# goal
assert output.is_meta
assert output.shape == (3, 2)
