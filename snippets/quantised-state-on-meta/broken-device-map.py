"""Load a model in 4 bits with a device_map that keeps a layer on disk."""

import torch
from transformers import BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

device = "cuda" if torch.cuda.is_available() else "cpu"
config = LlamaConfig(
    hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
LlamaForCausalLM(config).save_pretrained("checkpoint")
ids = torch.tensor([[1, 2, 3]], device=device)

quantised = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_compute_dtype=torch.float32)

# code
device_map = {"model": device, "lm_head": "disk"}
model = LlamaForCausalLM.from_pretrained("checkpoint", quantization_config=quantised, device_map=device_map)
logits = model(ids).logits

# goal
assert torch.isfinite(logits).all()
