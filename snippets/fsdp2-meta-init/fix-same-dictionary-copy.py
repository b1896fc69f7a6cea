"""Load one checkpoint into two models that were sharded on meta."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
torch.manual_seed(0)
reference, inputs = nn.Linear(8, 2), torch.randn(3, 8)
checkpoint, expected = reference.state_dict(), reference(inputs).detach()
with torch.device("meta"):
    student, teacher = nn.Linear(8, 2), nn.Linear(8, 2)
for model in (student, teacher):
    fully_shard(model)
    model.to_empty(device="cpu")
options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)

# code
set_model_state_dict(student, dict(checkpoint), options=options)
set_model_state_dict(teacher, dict(checkpoint), options=options)

# goal
outputs = teacher(inputs).detach()
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
