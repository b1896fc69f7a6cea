"""Add a meta tensor and a real one."""

import torch

x, y = torch.empty(2, device="meta"), torch.ones(2)
messages = []
for add in (lambda: x + y, lambda: y + x):
    try:
        add()
    except RuntimeError as error:
        messages.append(str(error))
assert messages[0] == "Tensor on device cpu is not on the expected device meta!"
assert messages[1] == "Tensor on device meta is not on the expected device cpu!"
