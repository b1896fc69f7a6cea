"""Notebook, exported: continue a text with OPT on a machine with little memory."""

# %%
import logging

import torch
from transformers import OPTConfig, OPTForCausalLM

logging.basicConfig(level=logging.INFO)

# %% a tiny stand-in for the real checkpoint
torch.manual_seed(9)
config = OPTConfig(
    vocab_size=64,
    hidden_size=24,
    word_embed_proj_dim=24,
    ffn_dim=48,
    num_hidden_layers=2,
    num_attention_heads=2,
    max_position_embeddings=32,
    tie_word_embeddings=False,
)
reference = OPTForCausalLM(config).eval()
reference.save_pretrained("opt-tiny")

# %% load, the second layer does not fit
device_map = {
    "model.decoder.embed_tokens": "cpu",
    "model.decoder.embed_positions": "cpu",
    "model.decoder.final_layer_norm": "cpu",
    "model.decoder.layers.0": "cpu",
    "model.decoder.layers.1": "disk",
    "lm_head": "cpu",
}
model = OPTForCausalLM.from_pretrained("opt-tiny", device_map=device_map, offload_folder="offload").eval()

# %% "Some parameters are on the meta device" -- so what is lost?
table = {}
for name, p in model.named_parameters():
    table.setdefault(p.device.type, []).append(name)
for device, names in table.items():
    print(f"{device:>5}: {len(names)} tensors, e.g. {names[0]}")
if "meta" in table:
    raise SystemExit(f"{len(table['meta'])} tensors are lost, download the checkpoint again")

# %% run
ids = torch.tensor([[2, 5, 6, 7]])
with torch.no_grad():
    assert torch.allclose(model(ids).logits, reference(ids).logits, atol=1e-4)
print("output agrees with the reference")
