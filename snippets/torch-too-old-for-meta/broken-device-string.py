"""Save a plain CPU tensor with safetensors."""

import torch
from safetensors.torch import load_file, save_file

weight = torch.randn(4, 2)

# code
save_file({"weight": weight}, "model.safetensors")

# goal
assert torch.equal(load_file("model.safetensors")["weight"], weight)
