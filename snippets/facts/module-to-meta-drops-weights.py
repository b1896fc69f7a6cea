"""Park a module on the meta device and fetch it back."""

from torch import nn

model = nn.Linear(2, 2).to("meta")
assert all(p.is_meta for p in model.parameters())
message = ""
try:
    model.to("cpu")
except NotImplementedError as error:
    message = str(error)
assert "no data" in message
