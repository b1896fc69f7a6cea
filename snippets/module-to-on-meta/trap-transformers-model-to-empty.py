"""Build a Llama on meta to save memory, and move it to its device."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
path, weights = "model", reference.state_dict()
ids = torch.arange(100).unsqueeze(0)
expected = reference(ids).logits
device = "cuda" if torch.cuda.is_available() else "cpu"

# code
with torch.device("meta"):
    llama = AutoModelForCausalLM.from_config(config).eval()
llama.to_empty(device=device)
llama.load_state_dict(weights)

# goal
assert torch.allclose(llama(ids.to(device)).logits.cpu(), expected, atol=1e-5)
