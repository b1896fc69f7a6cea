"""Data-parallel training in two local processes (gloo)."""

import logging
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
WORLD = 2


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Policy(nn.Module):
    def __init__(self, obs=6, actions=3):
        super().__init__()
        self.body = nn.Linear(obs, 32)
        self.head = nn.Linear(32, actions)

    def forward(self, obs):
        return self.head(torch.tanh(self.body(obs)))


def create(rank):
    with torch.device("meta"):
        policy = Policy()
    logging.info("[rank %d] policy created on %s", rank, policy.head.weight.device)
    policy.to_empty(device="cpu")
    for layer in (policy.body, policy.head):
        layer.reset_parameters()
    return policy


def run(rank, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=WORLD)
    torch.manual_seed(7)
    policy = create(rank)
    opt = torch.optim.SGD(policy.parameters(), lr=0.1)
    obs = torch.randn(8, 6, generator=torch.Generator().manual_seed(rank))
    loss = nn.functional.cross_entropy(policy(obs), torch.arange(8) % 3)
    loss.backward()
    for p in policy.parameters():
        dist.all_reduce(p.grad)
        p.grad /= WORLD
    opt.step()
    digest = torch.stack([p.sum() for p in policy.parameters()]).sum().detach()
    both = [torch.zeros(()) for _ in range(WORLD)]
    dist.all_gather(both, digest)
    assert torch.equal(both[0], both[1])
    assert loss.isfinite()
    logging.info("[rank %d] loss %.4f", rank, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.start_processes(run, args=(free_port(),), nprocs=WORLD, start_method="fork")
