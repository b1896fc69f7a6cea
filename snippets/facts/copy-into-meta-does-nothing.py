"""Write into a meta tensor."""

import torch

x = torch.empty(2, device="meta")
x.copy_(torch.ones(2))
x.fill_(1)
x.zero_()
x[0] = 1
assert x.is_meta
