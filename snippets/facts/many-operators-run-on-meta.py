"""Run a choice of operators on meta tensors, and on CPU tensors of the same shape."""

import torch
from torch import nn


def outputs(device):
    x = torch.rand(4, 4, device=device)
    return [
        torch.fft.fft(x),
        torch.linalg.svd(x)[0],
        torch.multinomial(x.softmax(-1), 2),
        x.sort()[0],
        x.topk(2)[1],
        x.cumsum(0),
        nn.functional.cross_entropy(x, torch.zeros(4, dtype=torch.long, device=device)),
        nn.LSTM(4, 8, device=device)(x)[0],
        nn.MultiheadAttention(4, 2, device=device)(x, x, x)[0],
    ]


for output, real in zip(outputs("meta"), outputs("cpu"), strict=True):
    assert output.is_meta
    assert output.shape == real.shape
