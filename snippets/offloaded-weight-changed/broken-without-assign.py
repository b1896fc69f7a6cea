"""Load a model that is partly offloaded, then load other weights into it."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
LlamaForCausalLM(config).save_pretrained("model")
tuned = LlamaForCausalLM(config).eval()
expected = tuned(ids).logits

# code
device_map = {"model": "cpu", "lm_head": "disk"}
model = AutoModelForCausalLM.from_pretrained("model", device_map=device_map, offload_folder="offload")
model.load_state_dict(tuned.state_dict())
logits = model(ids).logits

# goal
assert torch.allclose(logits, expected, atol=1e-4)
