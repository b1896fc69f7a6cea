"""Save a model with tied embeddings by safetensors' save_model() and fill a meta model from the file."""

import torch
from safetensors.torch import load_file, save_model
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4}
config = LlamaConfig(vocab_size=128, tie_word_embeddings=True, **sizes)
reference = LlamaForCausalLM(config)
weight = reference.lm_head.weight.detach().clone()
save_model(reference, "model.safetensors")
stored = load_file("model.safetensors")
assert "lm_head.weight" in stored
assert "model.embed_tokens.weight" not in stored

for joined in (False, True):
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    model.load_state_dict(stored, strict=False, assign=True)
    if joined:
        model.get_input_embeddings().weight = model.lm_head.weight
    model.tie_weights()
    assert model.lm_head.weight is model.get_input_embeddings().weight
    assert model.lm_head.weight.is_meta is not joined
assert torch.equal(model.lm_head.weight, weight)
