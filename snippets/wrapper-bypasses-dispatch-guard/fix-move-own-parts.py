"""Put a dispatched language model and a new head into one module, then move that module."""

import torch
from torch import nn
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM


class Scorer(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.score = nn.Linear(128, 1)

    def forward(self, ids):
        logits = self.backbone(ids).logits
        return logits, self.score(logits)


device = "cuda" if torch.cuda.is_available() else "cpu"
config = LlamaConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
)
ids = torch.arange(8).unsqueeze(0)
reference = LlamaForCausalLM(config).eval()
reference.save_pretrained("model")
expected = reference(ids).logits

# code
device_map = {"model": "cpu", "lm_head": "disk"}
backbone = AutoModelForCausalLM.from_pretrained("model", device_map=device_map, offload_folder="offload")
model = Scorer(backbone)
model.score.to(device)

# goal
logits, score = model(ids.to(device))
assert torch.allclose(logits.cpu(), expected, atol=1e-4)
assert score.device.type == device
