"""Add fake tensors of two modes."""

import torch
from torch._subclasses import FakeTensorMode

with FakeTensorMode():
    a = torch.empty(3)
with FakeTensorMode():
    b = torch.empty(3)
message = ""
try:
    a + b
except AssertionError as error:
    message = str(error)
assert message.startswith("Mixing fake modes NYI")

with FakeTensorMode():
    a, b = torch.empty(3), torch.empty(3)
assert (a + b).shape == (3,)
