"""Take the offload hooks off a model to move it by hand."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits
path, device_map = "model", {"model": "cpu", "lm_head": "disk"}
device = "cuda" if torch.cuda.is_available() else "cpu"

# code
model = AutoModelForCausalLM.from_pretrained(path)
model.to(device)

# goal
assert torch.allclose(model(ids.to(device)).logits.cpu(), expected, atol=1e-4)
