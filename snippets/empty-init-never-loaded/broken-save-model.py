"""Build an empty model and save it with Accelerator.save_model()."""

import torch
from accelerate import Accelerator, init_empty_weights
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference.lm_head.weight.detach()
path = "model"

# code
with init_empty_weights():
    model = AutoModelForCausalLM.from_config(config).eval()
Accelerator().save_model(model, "copy")

# goal
saved = load_file("copy/model.safetensors")
assert torch.allclose(saved["lm_head.weight"], expected)
