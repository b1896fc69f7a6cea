"""Shard a model built on the meta device with fully_shard() and run it."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
torch.manual_seed(0)

reference, inputs = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)), torch.randn(3, 8)
checkpoint, expected = reference.state_dict(), reference(inputs).detach()

with torch.device("meta"):
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
fully_shard(model)

# code
options = StateDictOptions(full_state_dict=True)
set_model_state_dict(model, checkpoint, options=options)
outputs = model(inputs).detach()

# goal
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
