"""Take the hooks off a model offloaded from memory, and off one loaded straight to disk."""

import torch
from accelerate import (
    cpu_offload,
    disk_offload,
    dispatch_model,
    init_empty_weights,
    load_checkpoint_and_dispatch,
)
from accelerate.hooks import remove_hook_from_module
from safetensors.torch import save_file
from torch import nn

build = lambda: nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
torch.manual_seed(0)
model, x = build(), torch.randn(3, 4)
weight, expected = model[1].weight.detach().clone(), model(x).detach()
save_file(model.state_dict(), "model.safetensors", metadata={"format": "pt"})

places = {"0": "cpu", "1": "disk"}
for offload in (
    lambda: disk_offload(model, "offload", execution_device="cpu"),
    lambda: cpu_offload(model, execution_device="cpu"),
    lambda: dispatch_model(model, places, offload_dir="dispatched"),
):
    offload()
    assert model[1].weight.is_meta
    remove_hook_from_module(model, recurse=True)
    assert torch.equal(model[1].weight, weight)

with init_empty_weights():
    loaded = build()
load_checkpoint_and_dispatch(loaded, "model.safetensors", device_map=places, offload_folder="loaded")
assert torch.equal(loaded(x), expected)
remove_hook_from_module(loaded, recurse=True)
assert loaded[1].weight.is_meta
