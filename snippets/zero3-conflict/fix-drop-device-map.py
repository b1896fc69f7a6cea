"""Load a model on two ranks in a program that has a ZeRO-3 configuration."""

import deepspeed
import torch
import torch.distributed as dist
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.integrations import HfDeepSpeedConfig

# Leaves out an extension of DeepSpeed that a CPU compiles for minutes; gloo does its work.
deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
deepspeed.init_distributed(dist_backend="gloo")
torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
saved = LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes))
if dist.get_rank() == 0:
    saved.save_pretrained("model")
dist.barrier()

# code
zero3 = HfDeepSpeedConfig({"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 3}})
model = LlamaForCausalLM.from_pretrained("model")

# goal
with deepspeed.zero.GatheredParameters(list(model.parameters())):
    same = [torch.equal(ours.cpu(), theirs) for ours, theirs in zip(model.parameters(), saved.parameters())]
dist.destroy_process_group()
assert all(same)
