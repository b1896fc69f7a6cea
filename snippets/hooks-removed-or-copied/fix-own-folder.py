"""Dispatch a model into an offload folder that is in use, then take its hooks off."""

import logging

import torch
from accelerate import dispatch_model
from accelerate.hooks import remove_hook_from_module
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
earlier = LlamaForCausalLM(config).eval()
model = LlamaForCausalLM(config).eval()
expected = model(ids).logits

# code
logging.getLogger("accelerate").setLevel(logging.ERROR)  # the notice about offloading is expected
device_map = {"model": "cpu", "lm_head": "disk"}
dispatch_model(earlier, device_map, offload_dir="offload")
device_map = {"model": "disk", "lm_head": "cpu"}
dispatch_model(model, device_map, offload_dir="offload-2")
remove_hook_from_module(model, recurse=True)
logits = model(ids).logits

# goal
assert torch.allclose(logits, expected, atol=1e-4)
