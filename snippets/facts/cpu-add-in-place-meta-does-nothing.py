"""Add a meta tensor in place to a real one."""

import torch

x = torch.ones(2)
x.add_(torch.empty(2, device="meta"))
x.mul_(torch.empty((), device="meta"))
assert x.tolist() == [1.0, 1.0]
