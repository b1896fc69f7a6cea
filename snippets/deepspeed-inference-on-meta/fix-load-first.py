"""Build a Llama on meta to save memory, and give it to DeepSpeed for inference."""

import json

import deepspeed
import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
config = LlamaConfig(vocab_size=128, **sizes)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
torch.save(reference.state_dict(), "pytorch_model.bin")
with open("checkpoints.json", "w") as file:
    json.dump({"type": "ds_model", "checkpoints": ["pytorch_model.bin"], "version": 1.0}, file)
expected = reference(ids).logits

# code
model = AutoModelForCausalLM.from_pretrained("model")
engine = deepspeed.init_inference(model, dtype=torch.float32)
logits = engine(ids).logits

# goal
assert torch.allclose(logits, expected, atol=1e-4)
