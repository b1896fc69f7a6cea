"""Load a safetensors file with load_model() into a module that was built on meta."""

import torch
from safetensors.torch import load_model, save_file
from torch import nn

trained = nn.Linear(4, 2)
save_file(trained.state_dict(), "model.safetensors")
path = "model.safetensors"
with torch.device("meta"):
    model = nn.Linear(4, 2)

# code
load_model(model, path)

# goal
assert not model.weight.is_meta
assert torch.equal(model.weight, trained.weight)
