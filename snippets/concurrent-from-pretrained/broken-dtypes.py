"""Load the same checkpoint in two threads, once in bfloat16 and once in float32."""

from concurrent.futures import ThreadPoolExecutor

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes)).save_pretrained("checkpoint")
wanted = [torch.bfloat16, torch.float32] * 4


# code
def load(dtype):
    return LlamaForCausalLM.from_pretrained("checkpoint", dtype=dtype)


with ThreadPoolExecutor(2) as pool:
    models = list(pool.map(load, wanted))

# goal
assert all(p.dtype == dtype for model, dtype in zip(models, wanted, strict=True) for p in model.parameters())
