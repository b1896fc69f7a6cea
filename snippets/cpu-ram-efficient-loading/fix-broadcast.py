"""Load a model with a new classification head on two ranks, in a run started for FSDP."""

import os

import torch
import torch.distributed as dist
from transformers import LlamaConfig, LlamaForCausalLM, LlamaForSequenceClassification

# What `accelerate launch --use_fsdp` sets.
os.environ |= {"ACCELERATE_USE_FSDP": "true", "FSDP_CPU_RAM_EFFICIENT_LOADING": "true"}
dist.init_process_group("gloo")
torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
base = LlamaForCausalLM(LlamaConfig(num_key_value_heads=2, vocab_size=128, **sizes)).eval()
if dist.get_rank() == 0:
    base.save_pretrained("base")
dist.barrier()
ids = torch.arange(8)[None]
device = "cuda" if torch.cuda.is_available() else "cpu"
expected = base.model(ids).last_hidden_state.detach()

# code
model = LlamaForSequenceClassification.from_pretrained("base")
if model.score.weight.is_meta:
    model.score.to_empty(device=device)
model.to(device)
dist.broadcast(model.score.weight.data, src=0)

# goal
outputs = model.model(ids.to(device)).last_hidden_state.detach().cpu()
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-4)
assert 0.001 < model.score.weight.std() < 0.1
