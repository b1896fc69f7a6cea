"""Load the base checkpoints of four families into their language-model heads."""

import torch
from transformers import AutoConfig, AutoModel, AutoModelForMaskedLM

torch.use_deterministic_algorithms(True)  # torch.empty() is filled with NaN, so untouched memory shows

sizes = {
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}
biases = {
    "fnet": "cls.predictions.bias",
    "nystromformer": "cls.predictions.bias",
    "longformer": "lm_head.bias",
    "data2vec-text": "lm_head.bias",
}
for family, name in biases.items():
    config = AutoConfig.for_model(family, **sizes)
    AutoModel.from_config(config).save_pretrained(family)
    loaded = AutoModelForMaskedLM.from_pretrained(family)
    assert loaded.get_parameter(name).isnan().all(), family
    assert (AutoModelForMaskedLM.from_config(config).get_parameter(name) == 0).all(), family
