"""Round the weights of a partly offloaded model to four bits in place, to see what that costs."""

import torch
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
saved = LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes))
saved.save_pretrained("model")


# code
def fake_quantise(layer):
    scale = layer.weight.detach().abs().amax(dim=1, keepdim=True) / 7
    layer.weight.data = (layer.weight.detach() / scale).round() * scale


model = LlamaForCausalLM.from_pretrained("model", device_map="cpu")
for reference in (saved, model):
    for layer in reference.modules():
        if isinstance(layer, nn.Linear):
            fake_quantise(layer)

# goal
ids = torch.arange(8)[None]
assert torch.allclose(model(ids).logits.cpu(), saved(ids).logits, atol=1e-5)
