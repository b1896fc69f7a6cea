"""Take the offload hooks off a model to move it by hand."""

import torch
from accelerate.hooks import remove_hook_from_module
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
model = AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder="offload")
remove_hook_from_module(model, recurse=True)
model.to_empty(device=device)

# goal
assert torch.allclose(model(ids.to(device)).logits.cpu(), expected, atol=1e-4)
