"""Calculate with meta tensors."""

import torch

x = torch.empty(2, 3, device="meta")
for y in (x + x, x * 2, x + torch.tensor(1.0), x.sum(), x.softmax(-1), x @ x.t(), (x > 0).any()):
    assert y.is_meta
