"""Load a model and bring it to its device."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "vocab_size": 128}
config = LlamaConfig(**sizes, num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=False)
device = "cuda" if torch.cuda.is_available() else "cpu"
trained = LlamaForCausalLM(config).eval()
trained.save_pretrained("model")
ids = torch.arange(1, 9)[None]

# code
model = LlamaForCausalLM.from_pretrained("model").to(device)

# goal
with torch.no_grad():
    assert torch.allclose(model(ids.to(device)).logits.cpu(), trained(ids).logits, atol=1e-4)
