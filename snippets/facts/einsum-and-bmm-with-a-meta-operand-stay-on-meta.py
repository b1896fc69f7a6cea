"""Multiply batches of which one is on meta."""

import torch

cpu = torch.ones(2, 3, 4)
meta = torch.empty(2, 4, 5, device="meta")
assert cpu.bmm(meta).is_meta
assert torch.einsum("bij,bjk->bik", cpu, meta).is_meta
