"""Load a model in several threads with low_cpu_mem_usage=True, and build another one afterwards."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
config = LlamaConfig(vocab_size=128, **sizes)
trained, ids = LlamaForCausalLM(config), torch.tensor([[1, 2, 3]])
trained.save_pretrained("checkpoint")

# code
loading = Lock()


def load(_):
    with loading:
        return LlamaForCausalLM.from_pretrained("checkpoint", low_cpu_mem_usage=True)


with ThreadPoolExecutor(4) as pool:
    models = list(pool.map(load, range(24)))

other = LlamaForCausalLM(config).to("cpu")

# goal
assert torch.isfinite(other(ids).logits).all()
assert all(torch.equal(model(ids).logits, trained(ids).logits) for model in models)
