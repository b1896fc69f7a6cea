"""Load a model with a device_map inside init_empty_weights()."""

from accelerate import init_empty_weights
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes)).save_pretrained("model")

with init_empty_weights():
    model = LlamaForCausalLM.from_pretrained("model", device_map="cpu")
assert not any(parameter.is_meta for parameter in model.parameters())
