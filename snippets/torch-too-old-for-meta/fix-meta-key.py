"""Give an extension's operator a kernel for the Meta key, so that a model can be traced on meta."""

import torch
from torch import nn

library = torch.library.Library("shop", "DEF")
library.define("scale(Tensor x, float factor) -> Tensor")

# code
library.impl("scale", lambda x, factor: torch.empty_like(x), "Meta")


class Scale(nn.Module):
    def forward(self, x):
        return torch.ops.shop.scale(x, 2.0)


with torch.device("meta"):
    output = nn.Sequential(nn.Linear(4, 3), Scale())(torch.empty(8, 4))

# goal
assert output.is_meta
assert output.shape == (8, 3)
