"""Load a model wholly on disk, by the map and by too little memory."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
reference = LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes)).eval()
reference.save_pretrained("model")
ids = torch.arange(8)[None]

maps = {"disk": {"device_map": {"": "disk"}}, "auto": {"device_map": "auto", "max_memory": {"cpu": 0}}}
for folder, places in maps.items():
    model = LlamaForCausalLM.from_pretrained("model", offload_folder=folder, **places)
    assert all(parameter.is_meta for parameter in model.parameters())
    assert not hasattr(model, "hf_device_map")
    assert not any(hasattr(module, "_hf_hook") for module in model.modules())
    try:
        told = str(model(ids).logits)
    except RuntimeError as error:
        told = str(error)
    assert "unknown device type for autocast" in told
