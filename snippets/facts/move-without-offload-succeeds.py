"""Move a device_map model that fits."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)

torch.manual_seed(0)
LlamaForCausalLM(config).save_pretrained("model")
model = LlamaForCausalLM.from_pretrained("model", device_map="cpu")
assert model.to("cpu") is model
assert not any(p.is_meta for p in model.parameters())
assert not any(hasattr(module, "_hf_hook") for module in model.modules())
