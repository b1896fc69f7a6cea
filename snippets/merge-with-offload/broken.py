"""Merge a LoRA into a model that is spread over memory and disk, and save the result."""

import torch
from accelerate import dispatch_model
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(num_key_value_heads=2, vocab_size=128, **sizes)).save_pretrained("base")
lora = LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False)
tuned = get_peft_model(LlamaForCausalLM.from_pretrained("base"), lora)
tuned.save_pretrained("adapter")
ids = torch.arange(8)[None]
expected = tuned(ids).logits.detach()
device_map = {f"base_model.model.{name}": "cpu" for name in ("lm_head", "model.embed_tokens", "model.norm")}
device_map |= {f"base_model.model.model.{name}": "disk" for name in ("layers", "rotary_emb")}
base = LlamaForCausalLM.from_pretrained("base")
model = PeftModel.from_pretrained(base, "adapter")

# code
dispatch_model(model, device_map, offload_dir="offload")
merged = model.merge_and_unload()
merged.save_pretrained("merged")

# goal
reloaded = LlamaForCausalLM.from_pretrained("merged")
assert torch.allclose(reloaded(ids).logits, expected, atol=1e-5)
