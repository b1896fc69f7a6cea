"""Read a safetensors file onto the meta device."""

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

save_file({"weight": torch.ones(2)}, "state.safetensors")
try:
    load_file("state.safetensors", device="meta")
except SafetensorError as error:
    message = str(error)
assert message == "device meta is invalid"
