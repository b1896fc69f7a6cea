"""Trace the shapes of a model on meta; its forward pass asks whether autocast is on."""

import torch
from torch import nn


# code
class Head(nn.Linear):
    def forward(self, x):
        if torch.is_autocast_enabled(x.device.type):
            x = x.to(torch.bfloat16)
        return super().forward(x)


with torch.device("meta"):
    model = Head(4, 2)
    output = model(torch.empty(3, 4))

# goal
assert output.is_meta
assert output.shape == (3, 2)
