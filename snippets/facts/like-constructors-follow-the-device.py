"""Make tensors like a meta tensor."""

import torch

torch.use_deterministic_algorithms(True)
x = torch.empty(2, 3, device="meta")
assert torch.equal(torch.zeros_like(x, device="cpu"), torch.zeros(2, 3))
assert torch.empty_like(x, device="cpu").isnan().all()
assert torch.ones_like(x).is_meta
assert torch.rand_like(x).is_meta
assert x.new_zeros(3).is_meta
