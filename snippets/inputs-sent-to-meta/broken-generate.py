"""Generate with a model whose embedding is on disk, from inputs on model.device."""

import torch
from transformers import AutoModelForCausalLM, BatchEncoding, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
settings = {"max_new_tokens": 4, "do_sample": False, "pad_token_id": 0}
expected = reference.generate(ids, attention_mask=torch.ones_like(ids), **settings)
path = "model"
batch = BatchEncoding({"input_ids": ids, "attention_mask": torch.ones_like(ids)})
device_map = dict.fromkeys(["model.layers", "model.norm", "model.rotary_emb", "lm_head"], "cpu")

# code
device_map["model.embed_tokens"] = "disk"
model = AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder="offload")
inputs = batch.to(model.device)
tokens = model.generate(**inputs, **settings)

# goal
assert torch.equal(tokens.cpu(), expected)
