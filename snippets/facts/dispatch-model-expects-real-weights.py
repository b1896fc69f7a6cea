"""Dispatch a model that was never loaded."""

from accelerate import dispatch_model, init_empty_weights
from torch import nn

messages = []
for device_map in ({"": "cpu"}, {"0": "cpu", "1": "disk"}):
    with init_empty_weights():
        model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    try:
        dispatch_model(model, device_map=device_map, offload_dir="offload")
    except NotImplementedError as error:
        messages.append(str(error))
assert len(messages) == 2
assert all(message.startswith("Cannot copy out of meta tensor; no data!") for message in messages)
