"""Trace the shapes of a model on meta; one layer calls an operator of an extension."""

import torch
from torch import nn

library = torch.library.Library("shop", "DEF")
library.define("scale(Tensor x, float factor) -> Tensor")
library.impl("scale", lambda x, factor: x * factor, "CPU")


# code
class Scale(nn.Module):
    def forward(self, x):
        return torch.ops.shop.scale(x, 2.0)


with torch.device("meta"):
    model = nn.Sequential(nn.Linear(4, 3), Scale())
    output = model(torch.empty(8, 4))

# goal
assert output.is_meta
assert output.shape == (8, 3)
assert torch.equal(torch.ops.shop.scale(torch.ones(3), 2.0), torch.full((3,), 2.0))
