"""Compare tensor parallel attention with the plain layer before a release."""

import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(width, width, bias=False)
        self.k = nn.Linear(width, width, bias=False)
        self.v = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (
            layer(x).view(batch, length, -1, width // self.heads).transpose(1, 2)
            for layer in (self.q, self.k, self.v)
        )
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(batch, length, -1))


def parallel_copy(layer, world):
    mesh = init_device_mesh("cpu", (world,))
    with torch.device("meta"):
        copy = Attention(layer.q.in_features, layer.heads)
    plan = {"q": ColwiseParallel(), "k": ColwiseParallel(), "v": ColwiseParallel(), "out": RowwiseParallel()}
    return parallelize_module(copy, mesh, plan)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(1)
    layer = Attention(32, 4).eval()
    x = torch.randn(2, 6, 32)
    copy = parallel_copy(layer, dist.get_world_size())
    with torch.no_grad():
        gap = (copy(x) - layer(x)).abs().max().item()
    ok = gap < 1e-5
    print("parallel attention agrees" if ok else "parallel attention differs from the plain layer")
    dist.destroy_process_group()
    return 0 if ok else 3


if __name__ == "__main__":
    sys.exit(main())
