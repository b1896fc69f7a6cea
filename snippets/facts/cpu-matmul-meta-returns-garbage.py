"""Multiply a real matrix by one on the meta device."""

import torch

torch.use_deterministic_algorithms(True)
y = torch.ones(4, 8) @ torch.empty(8, 16, device="meta")
assert y.device.type == "cpu"
assert y.isnan().all()
