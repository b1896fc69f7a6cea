"""Read an offloaded model with tied weights back, and save it, in the ways there are."""

import torch
from accelerate import Accelerator, cpu_offload
from accelerate.hooks import remove_hook_from_module
from accelerate.utils.modeling import get_state_dict_offloaded_model
from safetensors.torch import load_file, load_model
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4}
config = LlamaConfig(vocab_size=128, tie_word_embeddings=True, **sizes)
names = {"model.embed_tokens.weight", "lm_head.weight"}


def tied(model):
    return model.lm_head.weight is model.model.embed_tokens.weight


model = LlamaForCausalLM(config)
weight = model.lm_head.weight.detach().clone()
cpu_offload(model, execution_device="cpu")
state_dict = get_state_dict_offloaded_model(model)
assert names <= set(state_dict)
Accelerator().save_model(model, "saved")
assert len(names & set(load_file("saved/model.safetensors"))) == 1
loaded = LlamaForCausalLM(config)
load_model(loaded, "saved/model.safetensors")
assert tied(loaded)
assert torch.equal(loaded.lm_head.weight, weight)

remove_hook_from_module(model, recurse=True)
assert not tied(model)
assert torch.equal(model.lm_head.weight, weight)
model.tie_weights()
assert tied(model)
model.load_state_dict(state_dict, assign=True)
assert not tied(model)
model.tie_weights()
assert tied(model)
assert torch.equal(model.lm_head.weight, weight)
