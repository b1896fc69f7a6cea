"""Add a real tensor to a fake one."""

import torch
from torch._subclasses import FakeTensorMode

mode = FakeTensorMode()
with mode:
    fake = torch.empty(3)
real = torch.ones(3)
message = ""
try:
    fake + real
except Exception as error:
    message = str(error)
assert message.startswith("Please convert all Tensors to FakeTensors first")
assert (fake + mode.from_tensor(real)).shape == (3,)

with FakeTensorMode(allow_non_fake_inputs=True):
    fake = torch.empty(3)
assert (fake + real).shape == (3,)
