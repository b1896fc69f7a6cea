"""Run PReLU and Bilinear with weights on meta."""

import torch
from torch import nn

torch.use_deterministic_algorithms(True)
x = torch.ones(3, 4)
messages = []
for layer, inputs in ((nn.PReLU(device="meta"), (x,)), (nn.Bilinear(4, 4, 2, device="meta"), (x, x))):
    try:
        layer(*inputs)
    except RuntimeError as error:
        messages.append(str(error))
assert len(messages) == 2
assert all("is not on the expected device" in message for message in messages)
assert nn.Bilinear(4, 4, 2, bias=False, device="meta")(x, x).isnan().all()
