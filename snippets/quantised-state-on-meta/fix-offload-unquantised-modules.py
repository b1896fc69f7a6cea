"""Load a model in 4 bits, then offload it to the CPU to free the device."""

import torch
from accelerate import cpu_offload
from transformers import BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

device = "cuda" if torch.cuda.is_available() else "cpu"
config = LlamaConfig(
    hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
LlamaForCausalLM(config).save_pretrained("checkpoint")
ids = torch.tensor([[1, 2, 3]], device=device)

quantised = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_compute_dtype=torch.float32)
model = LlamaForCausalLM.from_pretrained("checkpoint", quantization_config=quantised, device_map=device)
expected = model(ids).logits

# code
cpu_offload(model.model.embed_tokens, execution_device=device)
cpu_offload(model.lm_head, execution_device=device)
logits = model(ids).logits

# goal
assert torch.equal(logits, expected)
