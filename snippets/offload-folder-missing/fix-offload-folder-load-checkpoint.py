"""Fill an empty model from a checkpoint, a part of it on disk."""

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits

with init_empty_weights():
    model = AutoModelForCausalLM.from_config(config).eval()
device_map = {"model": "cpu", "lm_head": "disk"}

# code
model = load_checkpoint_and_dispatch(model, "model", device_map=device_map, offload_folder="offload")

# goal
assert torch.allclose(model(ids).logits.cpu(), expected, atol=1e-4)
