"""Quantise the linear layers of a model that does not fit, layer by layer, to int8."""

import torch
from accelerate.utils import align_module_device
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
saved = LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes))
saved.save_pretrained("model")

# code
device_map = {"model.embed_tokens": "cpu", "model.layers.0": "cpu", "model.layers.1": "disk"}
device_map |= {"model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}


def quantise(layer):
    with align_module_device(layer):
        scale = layer.weight.detach().abs().amax(dim=1, keepdim=True) / 127
        return (layer.weight.detach() / scale).round().to(torch.int8).cpu(), scale.cpu()


model = LlamaForCausalLM.from_pretrained("model", device_map=device_map)
packed = {name: quantise(layer) for name, layer in model.named_modules() if isinstance(layer, nn.Linear)}

# goal
for name, layer in saved.named_modules():
    if isinstance(layer, nn.Linear):
        assert name in packed
        weight, scale = packed[name]
        assert torch.allclose(weight * scale, layer.weight, atol=scale.max().item())
