"""Load a checkpoint with device_map="auto" in a script that torchrun started."""

import torch
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

config = GPT2Config(
    n_embd=32, n_layer=2, n_head=4, n_positions=64, vocab_size=128, bos_token_id=0, eos_token_id=0
)
ids = torch.arange(8).unsqueeze(0)
reference = GPT2LMHeadModel(config).eval()
reference.transformer.save_pretrained("model")
expected = reference(ids).logits
path = "model"
device = "cuda" if torch.cuda.is_available() else "cpu"

# code
model = AutoModelForCausalLM.from_pretrained(path, device_map="auto")

# goal
logits = model(ids.to(model.device)).logits
assert torch.allclose(logits.cpu(), expected, atol=1e-4)
