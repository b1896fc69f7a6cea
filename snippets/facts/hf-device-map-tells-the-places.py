"""Ask a dispatched model where its modules are."""

import torch
from accelerate import dispatch_model
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes)).save_pretrained("model")
device_map = {"model.embed_tokens": "cpu", "model.layers.0": "cpu", "model.layers.1": "disk"}
device_map |= {"model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}
model = LlamaForCausalLM.from_pretrained("model", device_map=device_map)

places = {str(place) for place in model.hf_device_map.values()}
assert places == {"cpu", "disk"}
offloaded = [name for name, place in model.hf_device_map.items() if place == "disk"]
meta = {name for name, parameter in model.named_parameters() if parameter.is_meta}
assert offloaded == ["model.layers.1"]
assert meta == {name for name, _ in model.named_parameters() if name.startswith("model.layers.1.")}
assert isinstance(model.model.layers[1].mlp.up_proj.weight, torch.nn.Parameter)

layers = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
dispatch_model(layers, {"0": "cpu", "1": "disk"}, offload_dir="offload")
assert layers.hf_device_map == {"0": "cpu", "1": "disk"}
