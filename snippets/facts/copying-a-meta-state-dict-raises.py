"""Copy meta tensors into a real layer."""

from torch import nn

layer = nn.Linear(4, 2)
try:
    layer.load_state_dict(nn.Linear(4, 2, device="meta").state_dict())
except RuntimeError as error:
    message = str(error)
assert 'While copying the parameter named "weight"' in message
assert 'While copying the parameter named "bias"' in message
assert "('Cannot copy out of meta tensor; no data!',)" in message
