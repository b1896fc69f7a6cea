"""Load a model with device_map="auto" and measure all of its weights."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
reference = LlamaForCausalLM(config)
reference.save_pretrained("model")
expected = torch.stack([param.detach().norm() for param in reference.parameters()])

# code
model = AutoModelForCausalLM.from_pretrained("model", device_map={"": "cpu"})
norms = torch.stack([param.detach().cpu().norm() for param in model.parameters()])

# goal
assert torch.allclose(norms, expected, atol=1e-3)
