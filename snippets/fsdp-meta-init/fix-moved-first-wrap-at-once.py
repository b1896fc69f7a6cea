"""Build a model on the meta device and move it to its device before wrapping it in FSDP."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("gloo")
torch.manual_seed(0)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 2)
        self.scale = nn.Parameter(torch.ones(2))

    def reset_parameters(self):
        nn.init.ones_(self.scale)

    def forward(self, inputs):
        return self.linear(inputs) * self.scale


reference, inputs = Scaled(), torch.randn(3, 8)
nn.init.normal_(reference.scale)
checkpoint, expected = reference.state_dict(), reference(inputs).detach()

with torch.device("meta"):
    model = Scaled()

# code
allocate = lambda module: module.to_empty(device="cpu", recurse=False)  # noqa: E731
model = FSDP(model, device_id=torch.device("cpu"), param_init_fn=allocate)
set_model_state_dict(model, checkpoint, options=StateDictOptions(full_state_dict=True))
outputs = model(inputs).detach()

# goal
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
