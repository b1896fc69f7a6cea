"""Load the checkpoint of an older version of the model, which had no norm, into the model sharded on meta."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
torch.manual_seed(0)
older = nn.Sequential(nn.Linear(8, 4))
checkpoint, inputs = older.state_dict(), torch.randn(3, 8)
expected = nn.functional.layer_norm(older(inputs), (4,)).detach()

# code
with torch.device("meta"):
    model = nn.Sequential(nn.Linear(8, 4), nn.LayerNorm(4))
fully_shard(model)
model.to_empty(device="cpu")
set_model_state_dict(model, dict(checkpoint), options=StateDictOptions(full_state_dict=True))

# goal
outputs = model(inputs).detach()
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
