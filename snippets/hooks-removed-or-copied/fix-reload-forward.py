"""Take the offload hooks off a model and run it."""

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
model = AutoModelForCausalLM.from_pretrained(path)
logits = model(ids).logits

# goal
assert torch.allclose(logits.cpu(), expected, atol=1e-4)
