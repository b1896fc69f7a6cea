"""Fill an empty model from a checkpoint, all of it on disk."""

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

# code
with init_empty_weights():
    model = AutoModelForCausalLM.from_config(config).eval()
device_map = {"model": "disk", "lm_head": "cpu"}
model = load_checkpoint_and_dispatch(model, "model", device_map, offload_folder="offload")

# goal
assert torch.allclose(model(ids).logits.cpu(), expected, atol=1e-4)
