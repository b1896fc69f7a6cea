"""Write into a CPU tensor through a mask and an index on meta."""

import torch

x = torch.ones(2, 3)
mask = torch.ones(2, 3, dtype=torch.bool, device="meta")
index = torch.zeros(2, 3, dtype=torch.long, device="meta")
x.masked_fill_(mask, 7.0)
x[mask] = 7.0
x.scatter_(0, index, 7 * torch.ones(2, 3))
assert torch.equal(x, torch.ones(2, 3))

message = ""
try:
    x.masked_fill(mask, 7.0)
except RuntimeError as error:
    message = str(error)
assert message == "Tensor on device cpu is not on the expected device meta!"
