"""Work out the shape of a product with FakeTensorMode."""

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

# code
with FakeTensorMode():
    x = torch.empty(4, 64)
    weight = torch.empty(64, 32, device=x.device)
    product = x @ weight

# goal
assert product.shape == (4, 32)
