"""Load a model with a device_map in a program that has a ZeRO-3 configuration."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.integrations import HfDeepSpeedConfig

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
saved = LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes))
saved.save_pretrained("model")

# code
model = LlamaForCausalLM.from_pretrained("model", device_map="cpu")
zero3 = HfDeepSpeedConfig({"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 3}})

# goal
assert torch.equal(model.lm_head.weight.cpu(), saved.lm_head.weight)
