"""Ask a partly offloaded model for its device."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)

torch.manual_seed(0)
LlamaForCausalLM(config).save_pretrained("model")
device_map = {
    "model.embed_tokens": "disk",
    "model.layers": "cpu",
    "model.norm": "cpu",
    "model.rotary_emb": "cpu",
}
device_map["lm_head"] = "cpu"
model = LlamaForCausalLM.from_pretrained("model", device_map=device_map)
assert model.device.type == "meta"
assert model.model.layers[0].mlp.up_proj.weight.device.type == "cpu"
assert model(torch.tensor([[1, 2, 3]])).logits.device.type == "cpu"
