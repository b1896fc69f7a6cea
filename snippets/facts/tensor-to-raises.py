"""Bring the values of a meta tensor to the CPU."""

import torch

x = torch.empty(2, device="meta")
messages = []
for move in (lambda: x.to("cpu"), x.cpu, x.tolist):
    try:
        move()
    except NotImplementedError as error:
        messages.append(str(error))
assert messages == ["Cannot copy out of meta tensor; no data!"] * 3
