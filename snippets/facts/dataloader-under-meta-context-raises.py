"""Iterate a DataLoader while the default device is meta."""

import torch
from torch.utils.data import DataLoader

loader = DataLoader([1, 2, 3])
message = ""
with torch.device("meta"):
    try:
        next(iter(loader))
    except RuntimeError as error:
        message = str(error)
assert message == "Tensor.item() cannot be called on meta tensors"
