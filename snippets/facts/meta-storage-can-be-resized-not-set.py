"""Resize a meta tensor, and give it a real storage."""

import torch

x = torch.empty(2, device="meta")
assert x.resize_(5).shape == (5,)
message = ""
try:
    x.set_(torch.ones(5))
except RuntimeError as error:
    message = str(error)
assert 'storage of a tensor on device "meta"' in message
