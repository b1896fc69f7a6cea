"""Mix two LoRA adapters of an offloaded model into one with add_weighted_adapter()."""

import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(num_key_value_heads=2, vocab_size=128, **sizes)).save_pretrained("base")
lora = LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False)

# code
device_map = {"model.embed_tokens": "cpu", "model.layers.0": "cpu", "model.layers.1": "disk"}
device_map |= {"model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}
base = LlamaForCausalLM.from_pretrained("base", device_map=device_map)
model = get_peft_model(base, lora)
model.add_adapter("second", lora)
model.add_weighted_adapter(["default", "second"], [0.5, 0.5], "mix", combination_type="linear")

# goal
mix = [w for name, w in model.named_parameters() if ".lora_B.mix." in name]
assert len(mix) == 4
assert all(weight.cpu().abs().sum() > 0 for weight in mix)
