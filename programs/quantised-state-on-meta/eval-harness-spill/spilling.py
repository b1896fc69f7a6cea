"""Moves a model's weights out of the way."""

from accelerate import disk_offload


def spill(model, folder, device):
    disk_offload(model, folder, execution_device=device)
    return model
