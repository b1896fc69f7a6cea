"""Split a bias-free model built on the meta device over a device mesh and run it."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

dist.init_process_group("gloo")
torch.manual_seed(0)

inputs = torch.randn(3, 8)
reference = nn.Sequential(nn.Linear(8, 8, bias=False), nn.ReLU(), nn.Linear(8, 2, bias=False))
checkpoint, expected = reference.state_dict(), reference(inputs).detach()

with torch.device("meta"):
    mlp = nn.Sequential(nn.Linear(8, 8, bias=False), nn.ReLU(), nn.Linear(8, 2, bias=False))
mesh = init_device_mesh("cpu", (dist.get_world_size(),))
parallelize_module(mlp, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})

# code
mlp.to_empty(device="cpu")
set_model_state_dict(mlp, checkpoint, options=StateDictOptions(full_state_dict=True))
outputs = mlp(inputs).detach()

# goal
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
