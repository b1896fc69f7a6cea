"""Copy the weights of a model whose layers are offloaded to disk into a second model."""

import torch
from accelerate import disk_offload
from torch import nn

torch.manual_seed(0)
teacher, student = (
    nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2)),
    nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2)),
)
x = torch.randn(3, 4)
expected = teacher(x).detach()
disk_offload(teacher, "offload")

weights = teacher.state_dict()
student.load_state_dict(weights, strict=False)

# goal
assert not any(p.is_meta for p in student.parameters())
assert torch.equal(student(x), expected)
