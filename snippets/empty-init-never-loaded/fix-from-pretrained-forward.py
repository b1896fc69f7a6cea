"""Build a model without using memory for its weights and run it."""

import torch
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

config = GPT2Config(
    n_embd=32, n_layer=2, n_head=4, n_positions=64, vocab_size=128, bos_token_id=0, eos_token_id=0
)
ids = torch.arange(8).unsqueeze(0)
reference = GPT2LMHeadModel(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits
path, device = "model", "cpu"

# code
model = AutoModelForCausalLM.from_pretrained(path, device_map={"": device}).eval()
logits = model(ids).logits

# goal
assert logits.device.type != "meta"
assert torch.allclose(logits.cpu(), expected, atol=1e-4)
