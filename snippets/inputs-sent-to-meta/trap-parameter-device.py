"""Run a model whose embedding is on disk, with inputs on model.device."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits
path = "model"
device_map = dict.fromkeys(["model.layers", "model.norm", "model.rotary_emb", "lm_head"], "cpu")

# code
device_map["model.embed_tokens"] = "disk"
model = AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder="offload")
logits = model(ids.to(next(model.parameters()).device)).logits

# goal
assert torch.allclose(logits.cpu(), expected, atol=1e-4)
