"""Load a model whose tied embedding and head are both on disk."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
reference = LlamaForCausalLM(LlamaConfig(vocab_size=128, tie_word_embeddings=True, **sizes)).eval()
reference.save_pretrained("model")
ids = torch.arange(8)[None]
expected = reference(ids).logits

device_map = {"model.layers": "cpu", "model.norm": "cpu", "model.rotary_emb": "cpu"}
device_map |= {"model.embed_tokens": "disk", "lm_head": "disk"}
model = LlamaForCausalLM.from_pretrained("model", device_map=device_map, offload_folder="offload")
assert model.lm_head.weight.is_meta
assert torch.allclose(model(ids).logits, expected, atol=1e-4)
