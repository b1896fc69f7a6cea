"""Fill an empty Mixtral from its checkpoint with accelerate."""

import torch
from transformers import AutoModelForCausalLM, MixtralConfig, MixtralForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
config = MixtralConfig(vocab_size=128, num_key_value_heads=2, num_local_experts=2, **sizes)
ids = torch.arange(8).unsqueeze(0)
reference = MixtralForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits

# code
model = AutoModelForCausalLM.from_pretrained("model", device_map="cpu")
logits = model(ids).logits

# goal
assert torch.allclose(logits, expected, atol=1e-4)
