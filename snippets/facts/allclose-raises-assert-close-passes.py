"""Compare two meta tensors."""

import torch

x = torch.empty(3, device="meta")
torch.testing.assert_close(x, torch.ones(3, device="meta"))
message = ""
try:
    torch.allclose(x, x)
except RuntimeError as error:
    message = str(error)
assert message == "Tensor.item() cannot be called on meta tensors"
