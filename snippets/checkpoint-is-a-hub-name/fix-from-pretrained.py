"""Fill an empty Llama with accelerate, from a model that lies in the hub's cache."""

import os

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
config = LlamaConfig(vocab_size=128, **sizes)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("hub/models--shop--llama/snapshots/0a1b2c")
os.makedirs("hub/models--shop--llama/refs")
with open("hub/models--shop--llama/refs/main", "w") as file:
    file.write("0a1b2c")
expected = reference(ids).logits

# code
model = AutoModelForCausalLM.from_pretrained(
    "shop/llama", cache_dir="hub", local_files_only=True, device_map={"": "cpu"}
)
logits = model(ids).logits

# goal
assert torch.allclose(logits, expected, atol=1e-4)
