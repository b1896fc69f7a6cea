"""Save a meta tensor with safetensors."""

import torch
from safetensors.torch import save_file

message = ""
try:
    save_file({"weight": torch.empty(2, device="meta")}, "model.safetensors")
except NotImplementedError as error:
    message = str(error)
assert message == "Cannot copy out of meta tensor; no data!"
