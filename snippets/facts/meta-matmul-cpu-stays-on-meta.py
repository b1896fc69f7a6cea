"""Multiply a matrix on the meta device by a real one."""

import torch

y = torch.empty(4, 8, device="meta") @ torch.ones(8, 16)
assert y.is_meta
assert y.shape == (4, 16)
