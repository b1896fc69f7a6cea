"""Load a T5 with its encoder on disk."""

import torch
from transformers import AutoModelForSeq2SeqLM, T5Config, T5ForConditionalGeneration

config = T5Config(d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, vocab_size=64, use_cache=False)
ids = torch.arange(8).unsqueeze(0)
reference = T5ForConditionalGeneration(config).eval()
reference.save_pretrained("model")
expected = reference(input_ids=ids, decoder_input_ids=ids).logits

# code
device_map = {"shared": "cpu", "encoder": "disk", "decoder": "cpu", "lm_head": "cpu"}
model = AutoModelForSeq2SeqLM.from_pretrained("model", device_map=device_map, offload_folder="offload")
logits = model(input_ids=ids, decoder_input_ids=ids).logits

# goal
assert torch.allclose(logits.cpu(), expected, atol=1e-4)
