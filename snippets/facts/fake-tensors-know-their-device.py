"""Multiply two fake tensors of four terabytes."""

import torch
from torch._subclasses import FakeTensorMode

with FakeTensorMode():
    x = torch.empty(1_000_000, 1_000_000)
    y = x @ x.t()

assert x.device.type == "cpu"
assert not x.is_meta
assert y.shape == (1_000_000, 1_000_000)

message = ""
with FakeTensorMode():
    try:
        torch.empty(2, 2) @ torch.empty(2, 2, device="meta")
    except RuntimeError as error:
        message = str(error)
assert "two" in message
assert "devices" in message
