"""Keep a whole model on disk with dispatch_model()."""

import torch
from accelerate import disk_offload
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits

model = AutoModelForCausalLM.from_pretrained("model")

# code
model = disk_offload(model, "offload")

# goal
assert torch.allclose(model(ids).logits.cpu(), expected, atol=1e-4)
