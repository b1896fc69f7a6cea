"""Fill an empty Llama with accelerate, from a model that lies in the hub's cache."""

import os

os.environ |= {"HF_HOME": "cache", "HF_HUB_OFFLINE": "1"}

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from huggingface_hub import snapshot_download
from huggingface_hub.constants import HF_HUB_CACHE
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
config = LlamaConfig(vocab_size=128, **sizes)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
cached = f"{HF_HUB_CACHE}/models--shop--llama"
reference.save_pretrained(f"{cached}/snapshots/0a1b2c")
os.makedirs(f"{cached}/refs")
with open(f"{cached}/refs/main", "w") as file:
    file.write("0a1b2c")
expected = reference(ids).logits

# code
with init_empty_weights():
    model = AutoModelForCausalLM.from_config(config).eval()
path = snapshot_download("shop/llama")
model = load_checkpoint_and_dispatch(model, path, device_map={"": "cpu"})
logits = model(ids).logits

# goal
assert torch.allclose(logits, expected, atol=1e-4)
