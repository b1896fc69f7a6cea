"""Build a Llama on meta, give it storage with to_empty(), load every key of its checkpoint."""

import torch
from accelerate import init_empty_weights
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "vocab_size": 128}
config = LlamaConfig(**sizes, num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=False)
trained = LlamaForCausalLM(config).eval()
torch.save(trained.state_dict(), "model.pt")
ids = torch.arange(1, 17)[None]

# code
with init_empty_weights():
    model = LlamaForCausalLM(config).eval()

model.load_state_dict(torch.load("model.pt"), assign=True)

# goal
with torch.no_grad():
    assert torch.allclose(model(ids).logits, trained(ids).logits, atol=1e-5)
