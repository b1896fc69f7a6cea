"""Build a model without using memory for its weights, then put it on a device and run it."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits
path = "model"
device = "cuda" if torch.cuda.is_available() else "cpu"

# code
network = AutoModelForCausalLM.from_pretrained(path, device_map={"": device}).eval()

# goal
assert torch.allclose(network(ids.to(device)).logits.cpu(), expected, atol=1e-4)
