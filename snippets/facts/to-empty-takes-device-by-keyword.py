"""Pass the device to to_empty() by position."""

from torch import nn

layer = nn.Linear(4, 2, device="meta")
try:
    layer.to_empty("cpu")
except TypeError as error:
    message = str(error)
assert message == "Module.to_empty() takes 1 positional argument but 2 were given"
