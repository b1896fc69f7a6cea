"""Offload two models into one folder and take the hooks off the second."""

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
head_on_disk = {"model": "cpu", "lm_head": "disk"}
body_on_disk = {"model": "disk", "lm_head": "cpu"}

# code
dispatch_model(earlier, head_on_disk, offload_dir="offload")
dispatch_model(model, body_on_disk, offload_dir="offload")
remove_hook_from_module(model, recurse=True)
logits = model(ids).logits

# goal
assert torch.allclose(logits, expected, atol=1e-4)
