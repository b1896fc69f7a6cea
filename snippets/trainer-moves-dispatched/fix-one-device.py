"""Fine-tune a model whose last layers a device_map put on disk."""

import os

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
LlamaForCausalLM(config).save_pretrained("checkpoint")
text = torch.arange(8)

# code
device = int(os.environ.get("LOCAL_RANK", 0)) if torch.cuda.is_available() else "cpu"
model = LlamaForCausalLM.from_pretrained("checkpoint", device_map={"": device})
args = TrainingArguments(
    "out", num_train_epochs=3, save_strategy="no", dataloader_pin_memory=False, report_to="none"
)
Trainer(model, args, train_dataset=[{"input_ids": text, "labels": text}] * 4).train()

# goal
before, hidden = LlamaForCausalLM.from_pretrained("checkpoint"), torch.eye(32)
assert not torch.equal(model.lm_head(hidden), before.lm_head(hidden))
