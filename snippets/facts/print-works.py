"""Print a meta tensor."""

import torch

x = torch.empty(2, device="meta")
assert repr(x) == "tensor(..., device='meta', size=(2,))"
