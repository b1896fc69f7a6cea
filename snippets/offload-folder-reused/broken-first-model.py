"""Load a second model with accelerate into the offload folder of one that is in use."""

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
first = LlamaForCausalLM(config).eval()
first.save_pretrained("first")
LlamaForCausalLM(config).save_pretrained("second")
expected = first(ids).logits


def empty():
    with init_empty_weights():
        return LlamaForCausalLM(config).eval()


# code
device_map = {"model": "cpu", "lm_head": "disk"}
model = load_checkpoint_and_dispatch(empty(), "first", device_map, offload_folder="offload")
other = load_checkpoint_and_dispatch(empty(), "second", device_map, offload_folder="offload")
logits = model(ids).logits

# goal
assert torch.allclose(logits, expected, atol=1e-4)
