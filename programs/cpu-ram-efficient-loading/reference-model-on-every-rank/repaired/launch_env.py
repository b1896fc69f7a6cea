"""The environment that `accelerate launch --use_fsdp` leaves in each process."""

import os

FSDP = {
    "ACCELERATE_USE_FSDP": "true",
    "FSDP_CPU_RAM_EFFICIENT_LOADING": "false",
    "FSDP_SYNC_MODULE_STATES": "true",
}


def apply():
    for key, value in FSDP.items():
        os.environ.setdefault(key, value)
    return int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
