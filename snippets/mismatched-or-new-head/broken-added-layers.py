"""Start a deeper Llama from the layers of a smaller one, with a device_map."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
trained = LlamaForCausalLM(config)
trained.save_pretrained("checkpoint")

# code
model = LlamaForCausalLM.from_pretrained("checkpoint", num_hidden_layers=6, device_map={"": "cpu"})

# goal
added = [layer.input_layernorm.weight for layer in model.model.layers[2:]]
assert all(torch.equal(weight, torch.ones(32)) for weight in added)
