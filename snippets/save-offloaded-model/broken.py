"""Load a model that is partly offloaded and save its state dict."""

from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
reference = LlamaForCausalLM(config)
reference.save_pretrained("model")
expected = reference.lm_head.weight.detach()
Path("copy").mkdir()

# code
device_map = {"model": "cpu", "lm_head": "disk"}
model = AutoModelForCausalLM.from_pretrained("model", device_map=device_map, offload_folder="offload")
save_file(model.state_dict(), "copy/model.safetensors")

# goal
saved = load_file("copy/model.safetensors")
assert torch.equal(saved["lm_head.weight"], expected)
