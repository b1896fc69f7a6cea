"""Load a model that is partly offloaded and save it with torch.save()."""

import torch
from accelerate.utils.modeling import get_state_dict_offloaded_model
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
torch.save(get_state_dict_offloaded_model(model), "copy.bin")

# goal
saved = torch.load("copy.bin")["lm_head.weight"]
assert saved.device.type != "meta"
assert torch.equal(saved, expected)
