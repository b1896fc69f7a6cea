"""Load a state dict that is on meta into a real module."""

from torch import nn

model = nn.Linear(2, 2)
message = ""
try:
    model.load_state_dict(nn.Linear(2, 2, device="meta").state_dict())
except RuntimeError as error:
    message = str(error)
assert "While copying the parameter named" in message
model.load_state_dict(nn.Linear(2, 2, device="meta").state_dict(), assign=True)
assert model.weight.is_meta
