"""Allocate two terabytes on the meta device."""

import torch

x = torch.empty(1_000, 1_000_000_000, dtype=torch.float16, device="meta")

assert x.shape == (1_000, 1_000_000_000)
assert x.stride() == (1_000_000_000, 1)
assert x.dtype is torch.float16
assert x.nbytes == 2_000_000_000_000
assert x.untyped_storage().data_ptr() == 0
assert x.is_meta
