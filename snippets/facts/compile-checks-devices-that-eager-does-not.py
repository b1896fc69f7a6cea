"""Compile a bias-free layer whose weight is on meta."""

import torch
from torch import nn

layer = nn.Linear(4, 2, bias=False, device="meta")
x = torch.ones(3, 4)
assert layer(x).device.type == "cpu"

messages = []
for trace in (
    lambda: torch.compile(layer, backend="eager")(x),
    lambda: torch.export.export(layer, (x,)),
):
    try:
        trace()
    except Exception as error:
        messages.append(str(error))
assert len(messages) == 2
assert all("meta" in message and "evice" in message for message in messages)
