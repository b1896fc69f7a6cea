"""Pickle a model with an offloaded part."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits
path, device_map = "model", {"model": "cpu", "lm_head": "disk"}

# code
model = AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder="offload")
torch.save(model, "model.pt")

# goal
copy = torch.load("model.pt", weights_only=False)
assert torch.allclose(copy(ids).logits, expected, atol=1e-4)
