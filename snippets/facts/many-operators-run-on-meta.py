"""Run a choice of operators on meta tensors."""

import torch
from torch import nn

x = torch.empty(4, 4, device="meta")
outputs = [
    torch.fft.fft(x),
    torch.linalg.svd(x)[0],
    torch.multinomial(x.softmax(-1), 2),
    x.sort()[0],
    x.topk(2)[1],
    x.cumsum(0),
    nn.functional.cross_entropy(x, torch.empty(4, dtype=torch.long, device="meta")),
    nn.LSTM(4, 8, device="meta")(x)[0],
    nn.MultiheadAttention(4, 2, device="meta")(x, x, x)[0],
]
assert all(output.is_meta for output in outputs)
