"""Read a T5 of transformers 5 back that cpu_offload() has put behind hooks."""

import torch
from accelerate import cpu_offload
from accelerate.utils.modeling import get_state_dict_offloaded_model
from transformers import T5Config, T5ForConditionalGeneration

config = T5Config(d_model=32, d_kv=8, d_ff=64, num_layers=1, num_heads=4, vocab_size=64)
model = T5ForConditionalGeneration(config)
weight = model.shared.weight.detach().clone()
cpu_offload(model, execution_device="cpu")

state_dict = get_state_dict_offloaded_model(model)
group = {"shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight"}
assert group <= set(state_dict)
assert all(torch.equal(state_dict[name], weight) for name in group)
