"""Allocate a meta model in FSDP with to_empty(), load the checkpoint, and use a computed buffer."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("gloo")
torch.manual_seed(0)


class Fixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 2)
        self.register_buffer("scale", torch.tensor([0.3, 0.7]), persistent=False)

    def forward(self, inputs):
        return self.linear(inputs) * self.scale


reference, inputs = Fixed(), torch.randn(3, 8)
checkpoint, expected = reference.state_dict(), reference(inputs).detach()

with torch.device("meta"):
    model = Fixed()
model = FSDP(
    model,
    device_id=torch.device("cpu"),
    param_init_fn=lambda module: module.to_empty(device="cpu", recurse=False),
)
set_model_state_dict(model, checkpoint, options=StateDictOptions(full_state_dict=True))

# code
model.module.scale.copy_(torch.tensor([0.3, 0.7]))
outputs = model(inputs).detach()

# goal
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
