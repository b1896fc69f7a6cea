"""Normalise a real input with a layer that was built on the meta device."""

import torch
from torch import nn

torch.manual_seed(0)
trained = nn.LayerNorm(8)
nn.init.normal_(trained.weight)
x = torch.randn(3, 8)

norm = nn.LayerNorm(8, device="meta")
norm.load_state_dict(trained.state_dict(), assign=True)
output = norm(x)

# goal
assert output.device == x.device
assert torch.equal(output, trained(x))
