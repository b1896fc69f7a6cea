"""Prepare a model that was loaded with device_map="auto" in a run of two processes."""

import os

import torch
from accelerate import Accelerator
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
path = "model-" + os.environ["RANK"]
torch.manual_seed(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained(path)
expected = reference(ids).logits
max_memory = {"cpu": "100KB"}
accelerator = Accelerator(cpu=True)
device = "cpu"

# code
model = AutoModelForCausalLM.from_pretrained(path)
model = accelerator.prepare(model)

# goal
output = model(ids).logits
accelerator.end_training()
assert torch.allclose(output, expected, atol=1e-4)
