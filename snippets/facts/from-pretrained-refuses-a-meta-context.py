"""Load a checkpoint under a meta context."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, vocab_size=128
)
LlamaForCausalLM(config).save_pretrained("model")
message = ""
try:
    with torch.device("meta"):
        AutoModelForCausalLM.from_pretrained("model")
except RuntimeError as error:
    message = str(error)
assert message.startswith("You are using `from_pretrained` with a meta device context manager")
