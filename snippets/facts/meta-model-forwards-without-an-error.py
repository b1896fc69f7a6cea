"""Run a GPT-2 on meta with real token ids."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel

config = GPT2Config(n_embd=32, n_layer=1, n_head=2, vocab_size=64, bos_token_id=0, eos_token_id=0)
with torch.device("meta"):
    model = GPT2LMHeadModel(config)
logits = model(torch.tensor([[1, 2, 3]])).logits

assert logits.is_meta
assert logits.shape == (1, 3, 64)

ids = torch.tensor([[1, 2, 3]])
message = ""
try:
    model(ids, attention_mask=torch.ones_like(ids))
except RuntimeError as error:
    message = str(error)
assert message == "Tensor.item() cannot be called on meta tensors"
