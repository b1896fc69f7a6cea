"""Put the parameters of an empty model onto a device one by one."""

import torch
from accelerate import init_empty_weights
from accelerate.utils import set_module_tensor_to_device
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

device = "cuda" if torch.cuda.is_available() else "cpu"
config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits

with init_empty_weights():
    model = AutoModelForCausalLM.from_config(config).eval()

# code
for name, param in model.named_parameters():
    value = torch.empty_like(param, device="cpu")
    set_module_tensor_to_device(model, name, device, value=value)

# goal
assert torch.allclose(model(ids.to(device)).logits.cpu(), expected, atol=1e-4)
