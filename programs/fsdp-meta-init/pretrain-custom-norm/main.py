"""torchrun --nproc-per-node 2 main.py"""

import functools
import logging
import os

import torch
import torch.distributed as dist
from net import Block, TinyLM
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy

logger = logging.getLogger(__name__)


def build():
    with torch.device("meta"):
        model = TinyLM()
    policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})
    return FSDP(model, auto_wrap_policy=policy, device_id=torch.device("cpu"), use_orig_params=True)


def main():
    rank = int(os.environ["RANK"])
    logging.basicConfig(level=logging.INFO, format=f"%(asctime)s rank={rank} %(message)s")
    dist.init_process_group("gloo")
    torch.manual_seed(100)
    model = build()
    logger.info("wrapped, %d parameters", sum(p.numel() for p in model.parameters()))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    torch.manual_seed(rank)
    losses = []
    for step in range(4):
        ids = torch.randint(0, 50, (4, 9))
        loss = torch.nn.functional.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        logger.info("step %d loss %.3f", step, losses[-1])
    assert all(3.0 < x < 5.5 for x in losses)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
