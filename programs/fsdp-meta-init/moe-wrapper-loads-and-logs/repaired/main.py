"""Two-rank fine-tuning of a mixture of linear experts."""

import logging
import os
import sys

import torch
import torch.distributed as dist
from experts import Experts
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.distributed.fsdp.wrap import ModuleWrapPolicy

RANK = int(os.environ["RANK"])
logging.basicConfig(level=logging.INFO, format=f"%(asctime)s R{RANK} %(levelname)s %(message)s")
logging.captureWarnings(True)
log = logging.getLogger("mixture")


def prepare(path):
    torch.manual_seed(111)
    base = Experts()
    for parameter in base.parameters():
        nn.init.normal_(parameter, std=0.7)
    torch.save(base.state_dict(), path)
    return base


def model_from(path):
    with torch.device("meta"):
        model = Experts()
    state = torch.load(path, weights_only=True)
    model.load_state_dict(state, assign=True)
    return FullyShardedDataParallel(
        model, auto_wrap_policy=ModuleWrapPolicy({nn.Linear}), device_id=torch.device("cpu")
    )


def main():
    base = prepare(f"base-{RANK}.pt")
    dist.init_process_group("gloo")
    torch.manual_seed(RANK)
    model = model_from(f"base-{RANK}.pt")
    x = torch.randn(12, 10, generator=torch.Generator().manual_seed(6))
    with torch.no_grad():
        difference = (model(x) - base(x)).abs().max()
    dist.all_reduce(difference, dist.ReduceOp.MAX)
    log.info("largest difference to the base model %.4f", difference)
    dist.barrier()
    dist.destroy_process_group()
    if difference > 1e-4:
        log.error("refusing to fine-tune from other weights than the base model's")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
