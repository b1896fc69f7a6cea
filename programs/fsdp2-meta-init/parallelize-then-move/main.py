"""Continue training a small convolutional forecaster on two ranks."""

import logging
import os

import torch
import torch.distributed as dist
from parallel import parallelize
from torch import nn


class Block(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, 3, padding=dilation, dilation=dilation)
        self.norm = nn.GroupNorm(2, channels)

    def forward(self, x):
        return x + torch.relu(self.norm(self.conv(x)))


class Forecaster(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.inp, self.out = nn.Conv1d(1, channels, 1), nn.Conv1d(channels, 1, 1)
        self.blocks = nn.ModuleList(Block(channels, 2**i) for i in range(3))

    def forward(self, x):
        x = self.inp(x)
        for block in self.blocks:
            x = block(x)
        return self.out(x)[..., -1]


def main():
    rank = int(os.environ["RANK"])
    logging.basicConfig(level=logging.INFO, format=f"[rank {rank}] %(message)s")
    dist.init_process_group("gloo")
    torch.manual_seed(50)
    source = Forecaster()
    with torch.device("meta"):
        model = Forecaster()
    model = parallelize(model, "cpu", source.state_dict())
    signal = torch.sin(torch.arange(40) * 0.2 + rank)[None, None]
    with torch.no_grad():
        error = (model(signal) - source(signal)).abs().max().item()
    logging.info("difference to the source %.2e", error)
    loss = model(signal).square().mean()
    loss.backward()
    assert error < 1e-5
    dist.barrier()
    dist.destroy_process_group()


main()
