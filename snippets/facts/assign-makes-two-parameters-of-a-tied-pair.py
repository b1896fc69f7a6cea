"""Assign a checkpoint with both keys to a tied meta model."""

from torch import nn


def build(device):
    model = nn.ModuleDict(
        {"embed": nn.Embedding(8, 4, device=device), "head": nn.Linear(4, 8, False, device)}
    )
    model["head"].weight = model["embed"].weight
    return model


checkpoint = {name: tensor.clone() for name, tensor in build("cpu").state_dict().items()}
model = build("meta")
model.load_state_dict(checkpoint, assign=True)

assert model["head"].weight is not model["embed"].weight
assert model["head"].weight.data_ptr() != model["embed"].weight.data_ptr()

shared = build("meta")
shared.load_state_dict(build("cpu").state_dict(), assign=True)
assert shared["head"].weight is not shared["embed"].weight
assert shared["head"].weight.data_ptr() == shared["embed"].weight.data_ptr()
