"""Split a model built on the meta device with parallelize_module() and move it to its device."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

dist.init_process_group("gloo")
torch.manual_seed(0)

reference, inputs = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)), torch.randn(3, 8)
checkpoint, expected = reference.state_dict(), reference(inputs).detach()

with torch.device("meta"):
    mlp = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
mesh = init_device_mesh("cpu", (dist.get_world_size(),))
parallelize_module(mlp, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})

# code
mlp.to("cuda" if torch.cuda.is_available() else "cpu")
mlp.load_state_dict(checkpoint)
outputs = mlp(inputs).detach()

# goal
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
