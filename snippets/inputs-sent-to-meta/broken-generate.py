"""Generate with a model with a device_map, the prompt on model.device."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
mask = torch.ones_like(ids)
settings = {"max_new_tokens": 4, "do_sample": False, "pad_token_id": 0}
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference.generate(ids, attention_mask=mask, **settings)

device_map = dict.fromkeys(["model.layers", "model.norm", "model.rotary_emb", "lm_head"], "cpu")
device_map["model.embed_tokens"] = "disk"
model = AutoModelForCausalLM.from_pretrained("model", device_map=device_map, offload_folder="offload")
inputs = {"input_ids": ids.to(model.device), "attention_mask": mask.to(model.device)}

# code
tokens = model.generate(**inputs, **settings)

# goal
assert torch.equal(tokens.cpu(), expected)
