"""Check shapes cheaply, then run."""

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode


def network():
    return nn.Sequential(nn.Linear(10, 20), nn.GELU(), nn.Linear(20, 2))


def check(batch):
    with FakeTensorMode():
        out = network()(torch.empty(batch, 10))
    print("shape check:", tuple(out.shape))
    return out.shape


def run(rows):
    torch.manual_seed(0)
    return network()(rows)


if __name__ == "__main__":
    assert check(4) == (4, 2)
    print(run(torch.randn(4, 12)).argmax(-1).tolist())
