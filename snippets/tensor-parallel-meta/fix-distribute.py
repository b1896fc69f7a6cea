"""Split a model built on the meta device over a device mesh with parallelize_module() and run it."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, distribute_tensor
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

dist.init_process_group("gloo")
torch.manual_seed(0)

reference, inputs = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)), torch.randn(3, 8)
checkpoint, expected = reference.state_dict(), reference(inputs).detach()

with torch.device("meta"):
    mlp = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))

# code
mesh = init_device_mesh("cpu", (dist.get_world_size(),))
parallelize_module(mlp, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})

for name, parameter in mlp.named_parameters():
    if isinstance(parameter, DTensor):
        checkpoint[name] = distribute_tensor(checkpoint[name], parameter.device_mesh, parameter.placements)
mlp.load_state_dict(checkpoint, assign=True)
outputs = mlp(inputs).detach()

# goal
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
