"""Loads a checkpoint of whole tensors into a model that was split on meta."""

import logging

import torch
from torch.distributed.tensor import DTensor, distribute_tensor

log = logging.getLogger(__name__)


def split_like(parameter, value):
    if isinstance(parameter, DTensor):
        return distribute_tensor(value, parameter.device_mesh, parameter.placements)
    return value


def load_into(model, path, strict=True):
    state = torch.load(path, map_location="cpu", mmap=True, weights_only=True)
    state = {name: split_like(model.get_parameter(name), value) for name, value in state.items()}
    result = model.load_state_dict(state, strict=strict, assign=True)
    left = [name for name, value in model.named_parameters() if value.is_meta]
    log.info("loaded %d tensors, %d left on meta, %s", len(state), len(left), result)
    return model
