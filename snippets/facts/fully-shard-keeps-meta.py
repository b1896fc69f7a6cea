"""Shard a model that was built on the meta device."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor

dist.init_process_group("gloo")
with torch.device("meta"):
    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 2))
fully_shard(model)
parameters = list(model.parameters())
dist.destroy_process_group()

assert all(isinstance(parameter, DTensor) for parameter in parameters)
assert all(parameter.is_meta for parameter in parameters)
