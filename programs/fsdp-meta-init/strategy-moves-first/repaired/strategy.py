"""Where and how a module is put: one class per mode."""

import logging
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

log = logging.getLogger("strategy")


class FSDPStrategy:
    def __init__(self, device="cpu"):
        self.device = torch.device(device)
        self.rank = int(os.environ["RANK"])

    def __enter__(self):
        dist.init_process_group("gloo")
        log.info("process group of %d", dist.get_world_size())
        return self

    def __exit__(self, kind, error, tb):
        if kind is None:
            dist.barrier()
        dist.destroy_process_group()

    def setup(self, module):
        return FSDP(module, device_id=self.device, use_orig_params=True)
