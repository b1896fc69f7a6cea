"""Load a checkpoint into an empty model, half of it on disk."""

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from safetensors.torch import save_file
from torch import nn

build = lambda: nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
trained, x = build(), torch.randn(2, 4)
save_file(trained.state_dict(), "model.safetensors", metadata={"format": "pt"})
with init_empty_weights():
    model = build()
model = load_checkpoint_and_dispatch(
    model, "model.safetensors", device_map={"0": "cpu", "1": "disk"}, offload_folder="offload"
)
assert torch.equal(model[0].weight, trained[0].weight)
assert model[1].weight.is_meta
assert hasattr(model[1], "_hf_hook")
assert torch.equal(model(x), trained(x))
