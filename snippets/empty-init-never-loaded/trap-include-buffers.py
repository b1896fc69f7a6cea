"""Build a model without using memory for its weights, then put it on a device and run it."""

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
path = "model"
device = "cuda" if torch.cuda.is_available() else "cpu"

# code
with init_empty_weights(include_buffers=True):
    network = AutoModelForCausalLM.from_config(config).eval()
network = load_checkpoint_and_dispatch(network, path, device_map={"": device})

# goal
assert torch.allclose(network(ids.to(device)).logits.cpu(), expected, atol=1e-4)
