"""Offload a layer to disk without giving a folder, and compare the output."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
reference = LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes)).eval()
reference.save_pretrained("model")
device_map = {"model.embed_tokens": "cpu", "model.layers.0": "cpu", "model.layers.1": "disk"}
device_map |= {"model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}
model = LlamaForCausalLM.from_pretrained("model", device_map=device_map)
ids = torch.arange(8)[None]

assert model.model.layers[1].mlp.up_proj.weight.is_meta
assert torch.allclose(model(ids).logits, reference(ids).logits, atol=1e-5)
