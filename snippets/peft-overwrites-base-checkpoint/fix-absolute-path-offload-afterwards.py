"""Attach an adapter to a base model offloaded from an absolute path, and look at the working folder."""

import os
import tempfile

import torch
from accelerate import disk_offload
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(num_key_value_heads=2, vocab_size=128, **sizes)).save_pretrained("base")
lora = LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False)
tuned = get_peft_model(LlamaForCausalLM.from_pretrained("base"), lora)
tuned.save_pretrained("adapter")

# code
before = sorted(os.listdir())
base = LlamaForCausalLM.from_pretrained(os.path.abspath("base"))
model = PeftModel.from_pretrained(base, "adapter")
disk_offload(model, tempfile.mkdtemp(), execution_device=torch.device("cpu"))

# goal
assert sorted(os.listdir()) == before
