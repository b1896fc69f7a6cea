"""Trace the shapes of a model on meta; the operator made with custom_op says what it returns."""

import torch
from torch import nn


@torch.library.custom_op("shop::scale", mutates_args=())
def scale(x: torch.Tensor, factor: float) -> torch.Tensor:
    return x * factor


# code
@scale.register_fake
def scale_shape(x, factor):
    return torch.empty_like(x)


class Scale(nn.Module):
    def forward(self, x):
        return scale(x, 2.0)


with torch.device("meta"):
    model = nn.Sequential(nn.Linear(4, 3), Scale())
    output = model(torch.empty(8, 4))

# goal
assert output.is_meta
assert output.shape == (8, 3)
assert torch.equal(scale(torch.ones(3), 2.0), torch.full((3,), 2.0))
