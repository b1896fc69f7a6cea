"""Load a model that is partly offloaded, then make room for two new tokens."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits

# code
device_map = {"model": "cpu", "lm_head": "disk"}
model = AutoModelForCausalLM.from_pretrained("model", device_map=device_map, offload_folder="offload")
model.resize_token_embeddings(130)
logits = model(ids).logits

# goal
assert logits.shape[-1] == 130
assert torch.allclose(logits[..., :128], expected, atol=1e-4)
