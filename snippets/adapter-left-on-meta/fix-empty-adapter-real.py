"""Build an empty adapter with low_cpu_mem_usage=True, fill it from a file and move the model."""

import torch
from peft import LoraConfig, get_peft_model, load_peft_weights, set_peft_model_state_dict
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(num_key_value_heads=2, vocab_size=128, **sizes)).save_pretrained("base")
lora = LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False)
tuned = get_peft_model(LlamaForCausalLM.from_pretrained("base"), lora)
tuned.save_pretrained("adapter")
ids = torch.arange(8)[None]
expected = tuned(ids).logits.detach()
device = "cuda" if torch.cuda.is_available() else "cpu"

# code
base = AutoModelForCausalLM.from_pretrained("base")
model = get_peft_model(base, lora)
set_peft_model_state_dict(model, load_peft_weights("adapter"))
model.to(device)

# goal
assert torch.allclose(model(ids.to(model.device)).logits.cpu(), expected, atol=1e-4)
