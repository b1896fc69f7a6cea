"""Compare a meta model with the names and shapes of a checkpoint."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4, device="meta"), nn.Linear(4, 2, device="meta"))
checkpoint = {"0.weight": (4, 4), "0.bias": (4,), "1.weight": (3, 4)}
own = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}

assert sorted(own.keys() - checkpoint.keys()) == ["1.bias"]
assert [name for name in checkpoint if checkpoint[name] != own[name]] == ["1.weight"]
assert model.to(torch.float16).state_dict()["0.weight"].dtype is torch.float16
