"""Move a model with a layer on disk."""

from accelerate import dispatch_model
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
dispatch_model(model, device_map={"0": "cpu", "1": "disk"}, offload_dir="offload", force_hooks=True)
message = ""
try:
    model.to("cpu")
except RuntimeError as error:
    message = str(error)
assert message == "You can't move a model that has some modules offloaded to cpu or disk."
