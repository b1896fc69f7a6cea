"""Dispatch a model that was never loaded."""

from accelerate import dispatch_model, init_empty_weights
from torch import nn

with init_empty_weights():
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
message = ""
try:
    dispatch_model(model, device_map={"0": "cpu", "1": "disk"}, offload_dir="offload")
except (NotImplementedError, ValueError) as error:
    message = str(error)
assert "meta" in message
