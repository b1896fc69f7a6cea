"""Allocate two models that were built on meta, and call each reset_parameters() that there is."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

torch.use_deterministic_algorithms(True)  # torch.empty() is filled with NaN, so untouched memory shows
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4}
llama = LlamaConfig(vocab_size=64, **sizes)
gpt2 = GPT2Config(n_embd=32, n_layer=1, n_head=2, vocab_size=64, bos_token_id=0, eos_token_id=0)


def left_uninitialised(model_class, config):
    with torch.device("meta"):
        model = model_class(config)
    model.to_empty(device="cpu")
    for module in model.modules():
        if hasattr(module, "reset_parameters"):
            module.reset_parameters()
    return {name for name, parameter in model.named_parameters() if parameter.isnan().any()}


norms = left_uninitialised(LlamaForCausalLM, llama)
assert norms
assert all("norm" in name for name in norms)
layers = left_uninitialised(GPT2LMHeadModel, gpt2)
assert layers
assert all(".c_" in name for name in layers)
