"""Build a Llama on meta from its config."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, vocab_size=128
)
with torch.device("meta"):
    model = AutoModelForCausalLM.from_config(config)
    same = LlamaForCausalLM(config)

assert all(p.is_meta for p in model.parameters())
assert model.num_parameters() > 0
assert all(p.is_meta for p in same.parameters())
