"""Clone, detach and reshape a meta tensor."""

import torch

x = torch.empty(2, 3, device="meta")

for y in (x.clone(), x.detach(), x.t().contiguous(), x.view(6), x[0]):
    assert y.is_meta
assert x.t().contiguous().stride() == (2, 1)
