"""Run recurrent layers with one side on meta."""

import torch
from torch import nn

x = torch.ones(3, 4)
messages = []
for layer, given in (
    (nn.LSTM(4, 4, device="meta"), x),
    (nn.LSTM(4, 4), x.to("meta")),
    (nn.GRU(4, 4, device="meta"), x),
):
    try:
        layer(given)
    except RuntimeError as error:
        messages.append(str(error))
assert len(messages) == 3
assert all(m.startswith("Input and parameter tensors are not at the same device") for m in messages)
