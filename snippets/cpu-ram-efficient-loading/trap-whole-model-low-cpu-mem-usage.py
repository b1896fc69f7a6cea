"""Load a model on two ranks, in a run started for FSDP, and use it before FSDP has wrapped it."""

import os

import torch
import torch.distributed as dist
from transformers import LlamaConfig, LlamaForCausalLM

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
expected = base(ids).logits.detach()

# code
model = LlamaForCausalLM.from_pretrained("base", low_cpu_mem_usage=False).to(device)

# goal
outputs = model(ids.to(device)).logits.detach().cpu()
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-4)
