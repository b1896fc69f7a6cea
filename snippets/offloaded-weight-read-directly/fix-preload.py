"""Run a partly offloaded model whose forward uses the weight of a layer instead of calling the layer."""

import torch
from accelerate import dispatch_model
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(8, 8, 4)

    def forward(self, x):
        return x * self.conv.weight[:, 0, -1]


x = torch.randn(2, 8)
reference = nn.Sequential(nn.Linear(8, 8), Block())
expected = reference(x)

# code
model = dispatch_model(
    reference, {"0": "cpu", "1": "disk"}, offload_dir="offload", preload_module_classes=["Block"]
)
output = model(x)

# goal
assert torch.allclose(output, expected, atol=1e-4)
