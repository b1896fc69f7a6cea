"""Put a LoRA adapter on an image classifier whose second layer is offloaded to disk."""

import torch
from accelerate import disk_offload
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import ViTConfig, ViTForImageClassification

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
ViTForImageClassification(ViTConfig(image_size=16, patch_size=8, **sizes)).save_pretrained("base")
lora = LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False)
tuned = get_peft_model(ViTForImageClassification.from_pretrained("base"), lora)
tuned.save_pretrained("adapter")
image = torch.randn(1, 3, 16, 16)
expected = tuned(image).logits.detach()

# code
base = ViTForImageClassification.from_pretrained("base")
model = PeftModel.from_pretrained(base, "adapter", low_cpu_mem_usage=True)
disk_offload(model, "offload", execution_device=torch.device("cpu"))

# goal
assert torch.allclose(model(image).logits, expected, atol=1e-5)
