"""Wrap a model built on the meta device in FSDP with a param_init_fn of your own."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("gloo")
torch.manual_seed(0)


# code
def initialise(module):
    for parameter in module.parameters(recurse=False):
        nn.init.normal_(parameter)


reference, inputs = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)), torch.randn(3, 8)
checkpoint, expected = reference.state_dict(), reference(inputs).detach()

with torch.device("meta"):
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
model = FSDP(model, device_id=torch.device("cpu"), param_init_fn=initialise)
set_model_state_dict(model, checkpoint, options=StateDictOptions(full_state_dict=True))
outputs = model(inputs).detach()

# goal
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
