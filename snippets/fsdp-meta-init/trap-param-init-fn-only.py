"""Wrap a model built on the meta device in FSDP, then load the full checkpoint into it."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("gloo")
torch.manual_seed(0)


# code
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 2)
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, inputs):
        return self.linear(inputs) * self.scale


reference, inputs = Scaled(), torch.randn(3, 8)
nn.init.normal_(reference.scale)
checkpoint, expected = reference.state_dict(), reference(inputs).detach()

with torch.device("meta"):
    model = Scaled()
model = FSDP(
    model,
    device_id=torch.device("cpu"),
    param_init_fn=lambda module: module.to_empty(device="cpu", recurse=False),
)
outputs = model(inputs).detach()

# goal
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
