"""Build an empty model and spread it over the devices with dispatch_model()."""

import torch
from accelerate import dispatch_model, init_empty_weights
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits
path = "model"
device = "cuda" if torch.cuda.is_available() else "cpu"

# code
with init_empty_weights():
    model = AutoModelForCausalLM.from_config(config).eval()
model.to_empty(device=device)
model = dispatch_model(model, device_map={"": device})

# goal
assert torch.allclose(model(ids.to(device)).logits.cpu(), expected, atol=1e-4)
