"""Load a language model with tied embeddings from its safetensors file and move it to its device."""

import torch
from accelerate import init_empty_weights
from safetensors.torch import load_file
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "vocab_size": 128}
config = LlamaConfig(**sizes, num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=True)
device = "cuda" if torch.cuda.is_available() else "cpu"
trained = LlamaForCausalLM(config).eval()
trained.save_pretrained("model")
ids = torch.arange(1, 9)[None]

# code
with init_empty_weights():
    model = LlamaForCausalLM(config).eval()

model.load_state_dict(load_file("model/model.safetensors"), strict=False, assign=True)
model.to_empty(device=device)

# goal
assert model.lm_head.weight is model.model.embed_tokens.weight
with torch.no_grad():
    assert torch.allclose(model(ids.to(device)).logits.cpu(), trained(ids).logits, atol=1e-4)
