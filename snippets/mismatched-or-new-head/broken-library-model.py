"""Start a deeper GPT from the layers of a smaller one."""

from transformers import OpenAIGPTConfig, OpenAIGPTLMHeadModel

config = OpenAIGPTConfig(vocab_size=64, n_positions=16, n_embd=32, n_layer=2, n_head=4)
OpenAIGPTLMHeadModel(config).save_pretrained("checkpoint")

model = OpenAIGPTLMHeadModel.from_pretrained("checkpoint", n_layer=3)

# goal
assert 0.01 < model.transformer.h[2].attn.c_attn.weight.std() < 0.03
