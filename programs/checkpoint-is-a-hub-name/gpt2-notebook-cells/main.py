# %% [markdown]
# Which neurons fire on which words?

# %%
import torch
from accelerate import infer_auto_device_map, init_empty_weights, load_checkpoint_and_dispatch
from cache import CACHE, downloaded
from transformers import AutoConfig, AutoModelForCausalLM

name = "museum/gpt2-mini"
original = downloaded(name)

# %%
config = AutoConfig.from_pretrained(name, cache_dir=CACHE, local_files_only=True)
with init_empty_weights():
    model = AutoModelForCausalLM.from_config(config)
model.tie_weights()
device_map = infer_auto_device_map(model, max_memory={"cpu": "1GiB"}, no_split_module_classes=["GPT2Block"])
print(device_map)

# %%
model = load_checkpoint_and_dispatch(model, name, device_map=device_map, offload_folder="spill")
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
