"""Load a checkpoint inside the meta context that was meant to keep its construction cheap."""

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
ids = torch.tensor([[1, 2, 3, 4]])
path = "model"

# code
with torch.device("meta"):
    model = AutoModelForCausalLM.from_pretrained(path, device_map="cpu")

# goal
with torch.no_grad():
    assert torch.allclose(model.eval()(ids).logits.cpu(), reference(ids).logits, atol=1e-4)
