"""Fine-tune LoRA adapters on a model whose last layer a device_map put on disk."""

import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
LlamaForCausalLM(config).save_pretrained("checkpoint")
text = torch.arange(8)

# code
base = LlamaForCausalLM.from_pretrained("checkpoint")
model = get_peft_model(base, LoraConfig(task_type="CAUSAL_LM", target_modules=["q_proj", "v_proj"]))
args = TrainingArguments(
    "out", num_train_epochs=3, save_strategy="no", dataloader_pin_memory=False, report_to="none"
)
Trainer(model, args, train_dataset=[{"input_ids": text, "labels": text}] * 4).train()

# goal
assert all(p.abs().sum() > 0 for name, p in model.named_parameters() if "lora_B" in name)
