"""Loads a checkpoint of whole tensors into a model that was split on meta."""

import logging

import torch

log = logging.getLogger(__name__)


def load_into(model, path, strict=True):
    state = torch.load(path, map_location="cpu", mmap=True, weights_only=True)
    result = model.load_state_dict(state, strict=strict, assign=True)
    left = [name for name, value in model.named_parameters() if value.is_meta]
    log.info("loaded %d tensors, %d left on meta, %s", len(state), len(left), result)
    return model
