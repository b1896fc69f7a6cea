"""Load a checkpoint of two layers into a model of three, for three families."""

import torch
from transformers import AutoConfig, AutoModel

torch.use_deterministic_algorithms(True)  # torch.empty() is filled with NaN, so untouched memory shows

sizes = {"n_positions": 16, "n_layer": 2, "n_head": 4, "bos_token_id": None, "eos_token_id": None}
families = {
    "openai-gpt": ("h.2", {"vocab_size": 64, "n_embd": 32}),
    "imagegpt": ("h.2", {"vocab_size": 64, "n_embd": 32}),
    "decision_transformer": ("encoder.h.2", {"hidden_size": 32}),
}
for family, (layer, width) in families.items():
    AutoModel.from_config(AutoConfig.for_model(family, **sizes, **width)).save_pretrained(family)
    deeper = AutoModel.from_pretrained(family, n_layer=3)
    assert deeper.get_parameter(f"{layer}.attn.c_attn.weight").isnan().all(), family
