"""Serve two requests at once: each thread loads the model and uses it."""

from concurrent.futures import ThreadPoolExecutor

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
config = LlamaConfig(vocab_size=128, tie_word_embeddings=True, **sizes)
trained, ids = LlamaForCausalLM(config), torch.tensor([[1, 2, 3]])
trained.save_pretrained("checkpoint")


# code
def load(_):
    return LlamaForCausalLM.from_pretrained("checkpoint").to("cpu")


with ThreadPoolExecutor(4) as pool:
    attempts = [pool.submit(load, index) for index in range(60)]

models = [load(index) for index in range(12)]

# goal
assert all(torch.equal(model(ids).logits, trained(ids).logits) for model in models)
