# %% [markdown]
# Which neurons fire on which words?

# %%
import torch
from cache import CACHE, downloaded
from transformers import AutoModelForCausalLM

name = "museum/gpt2-mini"
original = downloaded(name)

# %%
model = AutoModelForCausalLM.from_pretrained(
    name, device_map="auto", max_memory={"cpu": "1GiB"}, cache_dir=CACHE, local_files_only=True
)
model.eval()

# %%
seen = {}


def keep(module, inputs, output):
    seen["mlp"] = output.detach()


handle = model.transformer.h[0].mlp.act.register_forward_hook(keep)
ids = torch.tensor([[2, 7, 1, 8]])
with torch.no_grad():
    logits = model(ids).logits
handle.remove()
print("strongest neuron of each word:", seen["mlp"][0].argmax(-1).tolist())
assert torch.allclose(logits, original(ids).logits, atol=1e-5)
