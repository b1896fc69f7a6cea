# %% Load an old community model on a free-tier machine
import json
import os

import torch
from transformers import AutoConfig, AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

NAME = "community-gpt2"
os.makedirs(NAME, exist_ok=True)
torch.manual_seed(1)
_config = GPT2Config(
    n_layer=4, n_embd=64, n_head=4, vocab_size=120, n_positions=32, architectures=["GPT2LMHeadModel"]
)
_original = GPT2LMHeadModel(_config).eval()
_config.save_pretrained(NAME)
torch.save(_original.state_dict(), f"{NAME}/pytorch_model.bin")

# %% How big is it?
size = os.path.getsize(f"{NAME}/pytorch_model.bin")
print(f"checkpoint: {size / 1e6:.2f} MB")
print(json.dumps(AutoConfig.from_pretrained(NAME).to_dict(), default=str)[:120], "...")

# %% Load
budget = {"cpu": 700_000}
print("budget", budget)
model = AutoModelForCausalLM.from_pretrained(
    NAME, device_map="auto", max_memory=budget, offload_folder="offload"
)
model.eval()
print(getattr(model, "hf_device_map", None))

# %% Try it
ids = torch.tensor([[1, 2, 3, 4]])
with torch.no_grad():
    out = model(ids).logits
    want = _original(ids).logits
print("max difference", (out - want).abs().max().item())
assert torch.allclose(out, want, atol=1e-4)
print("next token:", out[0, -1].argmax().item())
