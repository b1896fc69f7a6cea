"""Load the skeleton of a checkpoint."""

from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, vocab_size=128
)
LlamaForCausalLM(config).save_pretrained("model")
model = AutoModelForCausalLM.from_pretrained("model", device_map="meta")

assert all(p.is_meta for p in model.parameters())
