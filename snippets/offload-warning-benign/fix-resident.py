"""Load a model with a device_map that keeps a part on disk, and look where its weights are."""

from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
LlamaForCausalLM(config).save_pretrained("model")

# code
model = AutoModelForCausalLM.from_pretrained("model", device_map={"": "cpu"})

# goal
assert all(param.device.type != "meta" for param in model.parameters())
