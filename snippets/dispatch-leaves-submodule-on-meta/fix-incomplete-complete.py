"""Spread a model with a device_map that was written for another version of it."""

import torch
from accelerate import dispatch_model
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits
path = "model"

# code
device_map = {"model": "cpu", "lm_head": "cpu"}
model = AutoModelForCausalLM.from_pretrained(path)
model = dispatch_model(model, device_map)

# goal
logits = model(ids).logits
assert torch.allclose(logits.cpu(), expected, atol=1e-4)
