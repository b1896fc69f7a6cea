"""Note the device in a constructor that an older from_pretrained runs."""

from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

devices = []


class Model(LlamaForCausalLM):
    def __init__(self, config):
        super().__init__(config)
        devices.append(nn.Linear(2, 2).weight.device.type)


config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, vocab_size=128
)
LlamaForCausalLM(config).save_pretrained("model")
Model.from_pretrained("model")
Model.from_pretrained("model", low_cpu_mem_usage=True)
Model.from_pretrained("model", device_map={"": "cpu"})

assert devices == ["cpu", "meta", "meta"]
