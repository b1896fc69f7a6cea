"""Compare the parameter objects of a model before and after the steps that make it real."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
checkpoint = nn.Linear(8, 2).state_dict()
options = StateDictOptions(full_state_dict=True)
with torch.device("meta"):
    model, unallocated = nn.Linear(8, 2), nn.Linear(8, 2)


def keeps(step, module):
    before = module.weight
    step()
    return module.weight is before


results = [
    keeps(lambda: fully_shard(model), model),
    keeps(lambda: model.to_empty(device="cpu"), model),
    keeps(lambda: set_model_state_dict(model, dict(checkpoint), options=options), model),
    keeps(
        lambda: set_model_state_dict(fully_shard(unallocated), dict(checkpoint), options=options), unallocated
    ),
]
dist.destroy_process_group()
assert results == [False, True, True, False]
