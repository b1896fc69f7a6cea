"""Put a trained LoRA adapter on a base model whose second layer is offloaded to disk."""

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(num_key_value_heads=2, vocab_size=128, **sizes)).save_pretrained("base")
lora = LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False)
tuned = get_peft_model(LlamaForCausalLM.from_pretrained("base"), lora)
tuned.save_pretrained("adapter")
ids = torch.arange(8)[None]
expected = tuned(ids).logits.detach()

device_map = {"model.embed_tokens": "cpu", "model.layers.0": "cpu", "model.layers.1": "disk"}
device_map |= {"model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}

# code
base = AutoModelForCausalLM.from_pretrained("base", device_map=device_map)
model = PeftModel.from_pretrained(base, "adapter")

# goal
assert torch.allclose(model(ids).logits.cpu(), expected, atol=1e-5)
