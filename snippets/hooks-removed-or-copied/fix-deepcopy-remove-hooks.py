"""Copy a dispatched model and convert the copy to another dtype."""

import copy

import torch
from accelerate import dispatch_model
from accelerate.hooks import remove_hook_from_module
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
model = LlamaForCausalLM(config).eval()
dispatch_model(model, {"": "cpu"}, force_hooks=True)

# code
twin = copy.deepcopy(model)
remove_hook_from_module(twin, recurse=True)
twin.to(torch.float64)

# goal
assert {parameter.dtype for parameter in twin.parameters()} == {torch.float64}
assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}
