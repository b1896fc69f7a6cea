"""Work out the shape of a product with FakeTensorMode, one factor still on the meta device."""

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

# code
with FakeTensorMode():
    x = torch.empty(4, 64)
    weight = torch.empty(64, 32, device="meta")
    product = x @ weight

# goal
assert product.shape == (4, 32)
