"""Load a full checkpoint into a model that was sharded on the meta device."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
checkpoint = nn.Linear(8, 2).state_dict()
expected = checkpoint["weight"].clone()
with torch.device("meta"):
    model = nn.Linear(8, 2)
fully_shard(model)
set_model_state_dict(model, checkpoint, options=StateDictOptions(full_state_dict=True))
weight = model.weight.full_tensor().detach()
dist.destroy_process_group()

assert torch.equal(weight, expected)
