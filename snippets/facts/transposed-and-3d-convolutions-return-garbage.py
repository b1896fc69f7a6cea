"""Run convolutions with one side on meta."""

import torch
from torch import nn

torch.use_deterministic_algorithms(True)
transposed = nn.ConvTranspose1d(4, 4, 1, device="meta")(torch.ones(4, 4))
volume = nn.Conv3d(1, 1, 1, device="meta")(torch.ones(1, 1, 2, 2, 2))
for y in (transposed, volume):
    assert y.device.type == "cpu"
    assert y.isnan().all()
assert nn.Conv1d(4, 4, 1)(torch.empty(4, 4, device="meta")).is_meta
