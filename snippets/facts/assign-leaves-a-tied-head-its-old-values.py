"""Load the file of a model with tied embeddings into a real one, with and without assign=True."""

import torch
from safetensors.torch import load_file
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4}
config = LlamaConfig(vocab_size=128, tie_word_embeddings=True, **sizes)
LlamaForCausalLM(config).save_pretrained("new")
stored = load_file("new/model.safetensors")
assert "lm_head.weight" not in stored
new = stored["model.embed_tokens.weight"]


def loaded(assign):
    model = LlamaForCausalLM(config)
    model.load_state_dict(stored, strict=False, assign=assign)
    assert torch.equal(model.model.embed_tokens.weight, new)
    return model


assert torch.equal(loaded(assign=False).lm_head.weight, new)
model = loaded(assign=True)
assert not torch.equal(model.lm_head.weight, new)
model.tie_weights()
assert torch.equal(model.lm_head.weight, new)
