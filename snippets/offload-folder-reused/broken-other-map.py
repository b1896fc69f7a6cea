"""Dispatch a model with a new device_map into the offload folder of the old one."""

import torch
from accelerate import dispatch_model
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
earlier = LlamaForCausalLM(config).eval()
model = LlamaForCausalLM(config).eval()
expected = model(ids).logits

# code
device_map = {"model": "cpu", "lm_head": "disk"}
dispatch_model(earlier, device_map, offload_dir="offload")
device_map = {"model": "disk", "lm_head": "cpu"}
dispatch_model(model, device_map, offload_dir="offload")
logits = model(ids).logits

# goal
assert torch.allclose(logits, expected, atol=1e-4)
