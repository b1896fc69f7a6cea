"""Load a model that is partly offloaded and look at the weights of one layer."""

import torch
from accelerate.utils import align_module_device
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
reference = LlamaForCausalLM(config)
reference.save_pretrained("model")
expected = reference.lm_head.weight.detach()

# code
device_map = {"model": "cpu", "lm_head": "disk"}
model = AutoModelForCausalLM.from_pretrained("model", device_map=device_map, offload_folder="offload")
with align_module_device(model.lm_head):
    weight = model.lm_head.weight.detach().cpu()

# goal
assert torch.equal(weight.cpu(), expected)
