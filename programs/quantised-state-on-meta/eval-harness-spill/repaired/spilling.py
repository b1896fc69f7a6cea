"""Moves a model's weights out of the way."""

from accelerate import disk_offload


def spill(model, folder, device):
    disk_offload(model.lm_head, folder, execution_device=device)
    return model
