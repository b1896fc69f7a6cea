"""Read a safetensors file onto the meta device."""

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file

save_file({"weight": torch.ones(2)}, "state.safetensors")
messages = []
for read in (load_file, lambda path, device: safe_open(path, "pt", device=device)):
    try:
        read("state.safetensors", device="meta")
    except SafetensorError as error:
        messages.append(str(error))
assert messages == ["device meta is invalid"] * 2
with safe_open("state.safetensors", "pt") as file:
    assert file.get_slice("weight").get_shape() == [2]
