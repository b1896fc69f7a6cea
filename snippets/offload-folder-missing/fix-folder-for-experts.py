"""Load a mixture-of-experts model with a device_map that keeps a part on disk."""

import torch
from transformers import AutoModelForCausalLM, MixtralConfig, MixtralForCausalLM

config = MixtralConfig(
    num_key_value_heads=4,
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    vocab_size=128,
)
ids = torch.arange(8).unsqueeze(0)
reference = MixtralForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits

# code
device_map = {"model": "disk", "lm_head": "cpu"}
model = AutoModelForCausalLM.from_pretrained("model", device_map=device_map, offload_folder="offload")

# goal
assert torch.allclose(model(ids).logits.cpu(), expected, atol=1e-4)
