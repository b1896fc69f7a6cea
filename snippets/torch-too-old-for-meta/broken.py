"""Tell torch the output shape of an extension's operator, so that a model can be traced on meta."""

import torch
from torch import nn

library = torch.library.Library("shop", "DEF")
library.define("scale(Tensor x, float factor) -> Tensor")


# code
@torch.library.register_fake("shop::scale")
def scale_shape(x, factor):
    return torch.empty_like(x)


class Scale(nn.Module):
    def forward(self, x):
        return torch.ops.shop.scale(x, 2.0)


with torch.device("meta"):
    output = nn.Sequential(nn.Linear(4, 3), Scale())(torch.empty(8, 4))

# goal
assert output.is_meta
assert output.shape == (8, 3)
