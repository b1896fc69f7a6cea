"""Wrap a model on meta, whose head is tied to its embedding, in FSDP."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("gloo")
cpu, made = torch.device("cpu"), {}


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(8, 4)
        self.head = nn.Linear(4, 8, bias=False)
        self.head.weight = self.embedding.weight


def allocate(module):
    module.to_empty(device=cpu, recurse=False)


def allocate_once(module):
    for name, parameter in module.named_parameters(recurse=False):
        if parameter.is_meta and parameter not in made:
            made[parameter] = nn.Parameter(torch.empty_like(parameter, device=cpu))
        module.register_parameter(name, made.get(parameter, parameter))


def wrapped(param_init_fn):
    with torch.device("meta"):
        model = Tied()
    model = FSDP(model, device_id=cpu, use_orig_params=True, param_init_fn=param_init_fn)
    return len(list(model.parameters())), model.head.weight is model.embedding.weight


results = [wrapped(function) for function in (None, allocate, allocate_once)]
dist.destroy_process_group()
assert results == [(2, False), (2, False), (1, True)]
