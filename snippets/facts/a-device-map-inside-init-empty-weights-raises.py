"""Load a model with a device_map inside init_empty_weights()."""

from accelerate import init_empty_weights
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes)).save_pretrained("model")

try:
    with init_empty_weights():
        told = LlamaForCausalLM.from_pretrained("model", device_map="cpu")
except NotImplementedError as error:
    told = str(error)
assert "Cannot copy out of meta tensor" in str(told)
