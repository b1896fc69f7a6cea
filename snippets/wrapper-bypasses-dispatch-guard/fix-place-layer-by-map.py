"""Load a model with a device_map that keeps a part on disk, then move one of its layers."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

device = "cuda" if torch.cuda.is_available() else "cpu"
config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits

# code
device_map = {"model": "disk", "lm_head": device}
model = AutoModelForCausalLM.from_pretrained("model", device_map=device_map, offload_folder="offload")

# goal
assert torch.allclose(model(ids.to(device)).logits.cpu(), expected, atol=1e-4)
