"""Cut a model in two on meta, allocate it with to_empty(), and save its second half with safetensors."""

import torch
from safetensors.torch import load_file, save_file
from torch import nn

reference = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
save_file(reference.state_dict(), "full.safetensors")

with torch.device("meta"):
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))

# code
model.to_empty(device="cpu")

save_file(model[1].state_dict(), "half.safetensors")

# goal
half = load_file("half.safetensors")
assert torch.equal(half["weight"], reference[1].weight)
