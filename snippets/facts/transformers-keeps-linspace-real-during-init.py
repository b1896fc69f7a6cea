"""Note the device of two factories in a constructor that from_pretrained runs."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

devices = {}


class Model(LlamaForCausalLM):
    def __init__(self, config):
        super().__init__(config)
        devices["linspace"] = torch.linspace(0, 1, 3).device.type
        devices["arange"] = torch.arange(3).device.type
        devices["tensor"] = torch.tensor(3).device.type
        devices["zeros"] = torch.zeros(3).device.type


config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, vocab_size=128
)
LlamaForCausalLM(config).save_pretrained("model")
Model.from_pretrained("model")

assert devices == {"linspace": "cpu", "arange": "meta", "tensor": "meta", "zeros": "meta"}
