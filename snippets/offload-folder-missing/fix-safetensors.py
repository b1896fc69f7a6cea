"""Load a checkpoint of pytorch_model.bin files with a device_map that keeps a part on disk."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
config.save_pretrained("model")
torch.save(reference.state_dict(), "model/pytorch_model.bin")
expected = reference(ids).logits

# code
AutoModelForCausalLM.from_pretrained("model").save_pretrained("converted")
device_map = {"model": "cpu", "lm_head": "disk"}
model = AutoModelForCausalLM.from_pretrained("converted", device_map=device_map)

# goal
assert torch.allclose(model(ids).logits.cpu(), expected, atol=1e-4)
