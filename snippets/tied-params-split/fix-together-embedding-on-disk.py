"""Fill an empty model with tied embeddings from a checkpoint, its input embedding on disk."""

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    vocab_size=128,
    tie_word_embeddings=True,
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits

with init_empty_weights():
    model = AutoModelForCausalLM.from_config(config).eval()
model.tie_weights()

# code
device_map = dict.fromkeys(["model.embed_tokens", "model.norm", "model.rotary_emb", "lm_head"], "cpu")
device_map["model.layers"] = "disk"
model = load_checkpoint_and_dispatch(model, "model", device_map, offload_folder="offload")
logits = model(ids).logits

# goal
assert torch.allclose(logits.cpu(), expected, atol=1e-4)
