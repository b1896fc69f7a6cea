"""Hand a meta tensor to NumPy."""

import torch

x = torch.empty(2, device="meta")
first = second = ""
try:
    x.numpy()
except TypeError as error:
    first = str(error)
try:
    x.cpu().numpy()
except NotImplementedError as error:
    second = str(error)
assert "Use Tensor.cpu() to copy the tensor to host memory first" in first
assert "no data" in second
