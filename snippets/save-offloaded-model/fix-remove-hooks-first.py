"""Offload a model to the CPU and save it with save_pretrained()."""

import torch
from accelerate import cpu_offload
from accelerate.hooks import remove_hook_from_module
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
reference = LlamaForCausalLM(config)
reference.save_pretrained("model")
expected = reference.lm_head.weight.detach()

model = AutoModelForCausalLM.from_pretrained("model")
cpu_offload(model, "cpu")

# code
remove_hook_from_module(model, recurse=True)
model.save_pretrained("copy")

# goal
saved = load_file("copy/model.safetensors")
assert torch.equal(saved["lm_head.weight"], expected)
