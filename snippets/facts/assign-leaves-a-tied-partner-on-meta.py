"""Assign a checkpoint with one key to a tied meta model."""

from torch import nn

model = nn.ModuleDict({"embed": nn.Embedding(8, 4, device="meta"), "head": nn.Linear(4, 8, False, "meta")})
model["head"].weight = model["embed"].weight
model.load_state_dict({"embed.weight": nn.Embedding(8, 4).weight}, assign=True, strict=False)
assert model["head"].weight.is_meta

model["head"].weight = model["embed"].weight
assert not model["head"].weight.is_meta
