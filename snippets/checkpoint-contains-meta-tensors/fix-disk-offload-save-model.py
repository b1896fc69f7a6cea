"""Save the state dict of a model that disk_offload() has offloaded, and load the file into a new model."""

import torch
from accelerate import Accelerator, disk_offload
from safetensors.torch import load_model
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
config = LlamaConfig(num_key_value_heads=2, vocab_size=128, **sizes)
original = LlamaForCausalLM(config)
original.save_pretrained("base")
ids = torch.arange(8)[None]
expected = original(ids).logits.detach()

# code
model = AutoModelForCausalLM.from_pretrained("base")
disk_offload(model, "offload", execution_device="cpu")
Accelerator().save_model(model, "saved")
restored = LlamaForCausalLM(config)
load_model(restored, "saved/model.safetensors")

# goal
assert not any(p.is_meta for p in restored.parameters())
assert torch.equal(restored(ids).logits.detach(), expected)
