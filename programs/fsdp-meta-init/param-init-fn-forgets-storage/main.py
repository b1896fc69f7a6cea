"""Train a byte-level classifier with FSDP from a meta skeleton."""

import argparse
import os

import torch
import torch.distributed as dist
from init import small_init
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel, ShardingStrategy


def network(width):
    return nn.Sequential(
        nn.EmbeddingBag(256, width),
        nn.LayerNorm(width),
        nn.Linear(width, 4 * width),
        nn.GELU(),
        nn.Linear(4 * width, 2),
    )


def batch(rank, step):
    g = torch.Generator().manual_seed(10 * step + rank)
    x = torch.randint(0, 256, (32, 20), generator=g)
    return x, (x.float().mean(1) > 127).long()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--std", type=float, default=0.02)
    ap.add_argument("--steps", type=int, default=6)
    ap.add_argument("--width", type=int, default=16)
    args = ap.parse_args()
    rank = int(os.environ["RANK"])
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    with torch.device("meta"):
        net = network(args.width)
    net = FullyShardedDataParallel(
        net,
        sharding_strategy=ShardingStrategy.FULL_SHARD,
        param_init_fn=small_init(args.std),
        device_id=torch.device("cpu"),
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=5e-2)
    for step in range(args.steps):
        x, y = batch(rank, step)
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(f"[{rank}] {step} {loss.item():.4f}", flush=True)
        assert loss.item() < (0.72 if step == 0 else 3)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
