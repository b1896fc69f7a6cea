"""Run a layer whose weights are on disk."""

import torch
from accelerate import disk_offload
from torch import nn


class Watched(nn.Linear):
    def forward(self, x):
        seen.append(self.weight.device.type)
        return super().forward(x)


seen = []
layer, x = Watched(4, 2), torch.randn(1, 4)
expected = layer(x)
disk_offload(layer, "offload")
output = layer(x)
assert seen == ["cpu", "cpu"]
assert layer.weight.is_meta
assert torch.equal(output, expected)
