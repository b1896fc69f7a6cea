"""Load a model sharded on the meta device with Accelerate's load_checkpoint_and_dispatch()."""

import torch
import torch.distributed as dist
from accelerate import load_checkpoint_and_dispatch
from safetensors.torch import save_file
from torch import nn
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
torch.manual_seed(0)

reference, inputs = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)), torch.randn(3, 8)
checkpoint, expected = reference.state_dict(), reference(inputs).detach()
save_file(checkpoint, "model.safetensors", metadata={"format": "pt"})

with torch.device("meta"):
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
fully_shard(model)

# code
load_checkpoint_and_dispatch(model, "model.safetensors", device_map={"": "cpu"})
outputs = model(inputs).detach()

# goal
dist.destroy_process_group()
assert torch.allclose(outputs, expected, atol=1e-5)
