"""Load an Apertus checkpoint of two layers into a model of three."""

import torch
from transformers import ApertusConfig, ApertusModel

torch.use_deterministic_algorithms(True)  # torch.empty() is filled with NaN, so untouched memory shows

config = ApertusConfig(
    vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4
)
ApertusModel(config).save_pretrained("checkpoint")
deeper = ApertusModel.from_pretrained("checkpoint", num_hidden_layers=3)
assert deeper.layers[2].mlp.act_fn.alpha_p.isnan().all()
assert deeper.layers[2].mlp.act_fn.alpha_n.isnan().all()
assert not deeper.layers[1].mlp.act_fn.alpha_p.isnan().any()
