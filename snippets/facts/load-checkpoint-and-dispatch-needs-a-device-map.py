"""Load a checkpoint into an empty model, without and with a device_map."""

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from torch import nn

reference = nn.Linear(4, 2)
torch.save(reference.state_dict(), "model.bin")
with init_empty_weights():
    model = nn.Linear(4, 2)
message = ""
try:
    load_checkpoint_and_dispatch(model, "model.bin")
except ValueError as error:
    message = str(error)
assert "Default process group has not been initialized" in message

model = load_checkpoint_and_dispatch(model, "model.bin", device_map={"": "cpu"})
assert torch.equal(model.weight, reference.weight)
