"""Attach an adapter to a base model offloaded from a local folder, and load the base again later."""

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

# code
torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(num_key_value_heads=2, vocab_size=128, **sizes)).save_pretrained("base")
lora = LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False)
tuned = get_peft_model(LlamaForCausalLM.from_pretrained("base"), lora)
tuned.save_pretrained("adapter")
ids = torch.arange(8)[None]
original = LlamaForCausalLM.from_pretrained("base")(ids).logits.detach()

device_map = {"model.embed_tokens": "cpu", "model.layers.0": "cpu", "model.layers.1": "disk"}
device_map |= {"model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}
tuned = PeftModel.from_pretrained(LlamaForCausalLM.from_pretrained("base"), "adapter")
tuned.merge_and_unload().save_pretrained("merged")
model = LlamaForCausalLM.from_pretrained("merged", device_map=device_map)
again = LlamaForCausalLM.from_pretrained("base")

# goal
assert torch.allclose(again(ids).logits, original, atol=1e-5)
