"""torchrun main.py: wrap a converted network."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def convert(net):
    """bfloat16 everywhere but in the norms."""
    for module in net.modules():
        if not isinstance(module, nn.LayerNorm) and not list(module.children()):
            module.to(torch.bfloat16)
    return net


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    net = convert(nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8), nn.Linear(8, 1)))
    print(f"rank {dist.get_rank()}: {sorted({str(p.dtype) for p in net.parameters()})}", flush=True)
    try:
        net = FSDP(net, device_id=torch.device("cpu"))
    finally:
        if os.environ["RANK"] == "0":
            print("wrapping finished", flush=True)
    net(torch.randn(2, 8))


main()
