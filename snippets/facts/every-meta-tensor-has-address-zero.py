"""Compare the addresses of two meta tensors."""

import torch

a = torch.empty(3, device="meta")
b = torch.empty(5, 5, dtype=torch.int8, device="meta")
assert a.data_ptr() == b.data_ptr() == 0
assert a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr() == 0
