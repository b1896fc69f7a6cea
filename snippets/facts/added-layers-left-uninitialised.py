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
    added = deeper.get_submodule(layer)
    unset = {name for name, weight in added.named_parameters() if weight.isnan().all()}
    assert unset >= {"attn.c_attn.weight", "mlp.c_fc.weight", "attn.c_proj.bias", "mlp.c_proj.bias"}, family
    assert ("attn.c_proj.weight" in unset) is (family == "openai-gpt")
    assert not any(name.startswith("ln_") for name in unset)

gpt2 = AutoConfig.for_model("gpt2", **sizes, vocab_size=64, n_embd=32)
AutoModel.from_config(gpt2).save_pretrained("gpt2")
assert not any(p.isnan().any() for p in AutoModel.from_pretrained("gpt2", n_layer=3).parameters())
