"""Load a checkpoint that lacks the head with load_checkpoint_and_dispatch() and forced hooks."""

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from torch import nn

body = nn.Linear(64, 256)
torch.save({f"body.{name}": value for name, value in body.state_dict().items()}, "body.bin")

with init_empty_weights():
    net = nn.ModuleDict({"body": nn.Linear(64, 256), "head": nn.Linear(256, 64)})

# code
net["head"] = nn.Linear(256, 64)
net = load_checkpoint_and_dispatch(net, "body.bin", device_map={"": "cpu"}, force_hooks=True)

# goal
assert torch.equal(net["body"].weight, body.weight)
assert net["head"].weight.abs().max() <= 256**-0.5
assert net["head"].weight.std() > 256**-0.5 / 2
