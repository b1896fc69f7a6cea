"""Keep the model on the CPU and its embedding on disk with a device_map."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits

# code
device_map = dict.fromkeys(["model.layers", "model.norm", "model.rotary_emb", "lm_head"], "cpu")
device_map["model.embed_tokens"] = "disk"
model = AutoModelForCausalLM.from_pretrained("model", device_map=device_map, offload_folder="offload")

# goal
assert torch.allclose(model(ids).logits.cpu(), expected, atol=1e-4)
