"""Example inputs without memory, one helper per modality."""

import torch
from torch._subclasses.fake_tensor import FakeTensorMode


def image_example(batch, mode=None):
    with mode or FakeTensorMode():
        return torch.empty(batch, 3, 8, 8)


def text_example(batch, mode=None):
    with mode or FakeTensorMode():
        return torch.zeros(batch, 6, dtype=torch.long)
