"""Build a model on meta, and read its safetensors file onto the device of the model."""

import torch
from safetensors.torch import load_file, save_file
from torch import nn

reference = nn.Linear(4, 2)
save_file(reference.state_dict(), "model.safetensors")

with torch.device("meta"):
    restored = nn.Linear(4, 2)

# code
state = load_file("model.safetensors", device=str(restored.weight.device))
restored.load_state_dict(state, assign=True)

# goal
assert not restored.weight.is_meta
assert torch.equal(restored.weight, reference.weight)
