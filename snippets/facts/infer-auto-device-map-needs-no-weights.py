"""Plan the placement of a model over CPU and disk."""

from accelerate import infer_auto_device_map, init_empty_weights
from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
config = LlamaConfig(vocab_size=128, max_position_embeddings=16, **sizes)

with init_empty_weights():
    model = LlamaForCausalLM(config)
size = sum(p.nbytes for p in model.parameters())
device_map = infer_auto_device_map(model, max_memory={"cpu": size // 2})
assert set(device_map.values()) == {"cpu", "disk"}
assert all(p.is_meta for p in model.parameters())
assert all(model.get_submodule(name) is not None for name in device_map)
