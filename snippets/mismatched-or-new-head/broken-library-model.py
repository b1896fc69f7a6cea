"""Start a deeper GPT from the layers of a smaller one."""

from transformers import OpenAIGPTConfig, OpenAIGPTLMHeadModel

config = OpenAIGPTConfig(vocab_size=64, n_positions=16, n_embd=32, n_layer=2, n_head=4)
trained = OpenAIGPTLMHeadModel(config)
trained.save_pretrained("checkpoint")

# code
model = OpenAIGPTLMHeadModel.from_pretrained("checkpoint", n_layer=3)

# goal
assert all(0.01 < p.std() < 0.03 for p in model.transformer.h[2].parameters() if p.ndim == 2)
