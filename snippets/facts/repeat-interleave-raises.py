"""Repeat elements by counts that are on meta."""

import torch

x, repeats = torch.empty(3, device="meta"), torch.empty(3, dtype=torch.long, device="meta")
message = ""
try:
    x.repeat_interleave(repeats)
except RuntimeError as error:
    message = str(error)
assert message == "cannot repeat_interleave a meta tensor without output_size"
assert x.repeat_interleave(repeats, output_size=5).shape == (5,)
