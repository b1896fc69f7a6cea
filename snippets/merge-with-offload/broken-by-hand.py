"""Add LoRA weights to the base weights by hand, after the model was offloaded."""

import torch
from accelerate import cpu_offload
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
lora = {"0": (torch.randn(8, 4), torch.randn(4, 8)), "2": (torch.randn(2, 4), torch.randn(4, 8))}
expected = {name: model.get_submodule(name).weight + up @ down for name, (up, down) in lora.items()}
inputs = torch.randn(3, 8)
hidden = torch.relu(inputs @ expected["0"].T + model[0].bias)
outputs = hidden @ expected["2"].T + model[2].bias

# code
cpu_offload(model, execution_device=torch.device("cpu"))
for name, (up, down) in lora.items():
    layer = model.get_submodule(name)
    weight = layer.weight.data.to("cpu", torch.float32)
    layer.weight.data = weight + up @ down

# goal
assert torch.allclose(model(inputs), outputs, atol=1e-5)
