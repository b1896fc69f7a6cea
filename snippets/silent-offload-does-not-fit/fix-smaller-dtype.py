"""Load a model with device_map="auto" and read its output layer."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
reference = LlamaForCausalLM(config)
reference.save_pretrained("model")
expected = reference.lm_head.weight.detach()

# code
model = AutoModelForCausalLM.from_pretrained(
    "model", device_map="auto", max_memory={"cpu": "100KB"}, dtype=torch.float16
)
weight = model.get_output_embeddings().weight.detach().numpy()

# goal
assert torch.allclose(torch.tensor(weight).float(), expected, atol=1e-3)
