"""Join a real and a meta tensor."""

import torch

x, y = torch.ones(2, 2), torch.empty(2, 2, device="meta")
messages = []
for call in (lambda: torch.cat([x, y]), lambda: torch.stack([x, y]), lambda: torch.where(x > 0, x, y)):
    try:
        call()
    except RuntimeError as error:
        messages.append(str(error))
assert messages == ["Tensor on device meta is not on the expected device cpu!"] * 3
