"""Change the dtype of a meta layer, without and with a device."""

import torch
from torch import nn

layer = nn.Linear(4, 2, device="meta")
assert layer.double().weight.dtype is torch.float64
assert layer.type(torch.bfloat16).weight.is_meta

message = ""
try:
    layer.to("cpu", torch.float16)
except NotImplementedError as error:
    message = str(error)
assert message.startswith("Cannot copy out of meta tensor; no data!")
