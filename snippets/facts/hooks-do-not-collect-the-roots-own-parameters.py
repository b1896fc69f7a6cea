"""Read an offloaded model whose outermost module has a parameter of its own."""

import torch
from accelerate import Accelerator, cpu_offload
from accelerate.utils.modeling import get_state_dict_offloaded_model
from safetensors.torch import load_file
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(3.0))
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.scale * self.layer(x)


model = Scaled()
x = torch.randn(3, 4)
expected = model(x).detach()
cpu_offload(model, execution_device="cpu")
assert torch.allclose(model(x), expected)

assert set(get_state_dict_offloaded_model(model)) == {"layer.weight", "layer.bias"}
Accelerator().save_model(model, "saved")
assert set(load_file("saved/model.safetensors")) == {"layer.weight", "layer.bias"}
