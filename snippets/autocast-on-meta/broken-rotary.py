"""Trace the shapes of a Llama on meta with a transformers release of 2024 or 2025."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
config = LlamaConfig(num_key_value_heads=2, vocab_size=128, **sizes)

# code
with torch.device("meta"):
    model = LlamaForCausalLM(config)
    logits = model(torch.ones(1, 8, dtype=torch.int64)).logits

# goal
assert logits.shape == (1, 8, 128)
