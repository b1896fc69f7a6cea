"""Load a pretrained model inside init_empty_weights() to keep the memory low."""

import torch
from accelerate import init_empty_weights
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
with init_empty_weights():
    network = AutoModelForCausalLM.from_pretrained(path).eval()
network.to(device)

# goal
assert torch.allclose(network(ids.to(device)).logits.cpu(), expected, atol=1e-4)
