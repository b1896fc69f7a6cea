"""Read a T5 of transformers 4 back that cpu_offload() has put behind hooks."""

import torch
from accelerate import cpu_offload
from accelerate.hooks import remove_hook_from_module
from accelerate.utils.modeling import get_state_dict_offloaded_model
from transformers import T5Config, T5ForConditionalGeneration

config = T5Config(d_model=32, d_kv=8, d_ff=64, num_layers=1, num_heads=4, vocab_size=64)
model = T5ForConditionalGeneration(config)
weight = model.shared.weight.detach().clone()
cpu_offload(model, execution_device="cpu")

try:
    told = "read" if "shared.weight" in get_state_dict_offloaded_model(model) else "left out"
except ValueError as error:
    told = str(error)
assert told in ("left out", "weight is on the meta device, we need a `value` to put in on cpu.")
remove_hook_from_module(model, recurse=True)
assert torch.equal(model.shared.weight, weight)
assert not any(parameter.is_meta for parameter in model.parameters())
