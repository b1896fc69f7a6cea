"""Encode meta labels."""

import torch
from torch.nn import functional as F

labels = torch.empty(4, dtype=torch.long, device="meta")
message = ""
try:
    F.one_hot(labels)
except RuntimeError as error:
    message = str(error)
assert message == "Tensor.item() cannot be called on meta tensors"
assert F.one_hot(labels, 5).shape == (4, 5)
