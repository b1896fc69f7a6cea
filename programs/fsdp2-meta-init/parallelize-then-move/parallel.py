"""Parallelism helpers: plain, data parallel, fully sharded."""

import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard


def parallelize(model, device, weights):
    mesh = init_device_mesh(device, (dist.get_world_size(),), mesh_dim_names=("shard",))
    policy = MixedPrecisionPolicy(param_dtype=torch.float32)
    for block in model.blocks:
        fully_shard(block, mesh=mesh, mp_policy=policy)
    fully_shard(model, mesh=mesh, mp_policy=policy)
    model = model.to(device)
    set_model_state_dict(model, weights, options=StateDictOptions(full_state_dict=True))
    return model
