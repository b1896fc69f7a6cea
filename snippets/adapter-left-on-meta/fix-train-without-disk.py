"""Train a new LoRA adapter on a base model whose second layer is offloaded to disk."""

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(num_key_value_heads=2, vocab_size=128, **sizes)).save_pretrained("base")
ids = torch.arange(8)[None]

device_map = {"model.embed_tokens": "cpu", "model.layers.0": "cpu", "model.layers.1": "disk"}
device_map |= {"model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}

# code
base = AutoModelForCausalLM.from_pretrained("base", device_map={"": "cpu"})
model = get_peft_model(base, LoraConfig(target_modules=["q_proj", "v_proj"]))
model(input_ids=ids, labels=ids).loss.backward()

# goal
gradients = [p.grad for name, p in model.named_parameters() if "lora_B" in name]
assert len(gradients) == 4
assert all(gradient.abs().sum() > 0 for gradient in gradients)
