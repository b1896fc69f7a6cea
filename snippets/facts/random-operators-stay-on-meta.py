"""Draw random numbers on meta."""

import torch
from torch.nn import functional as F

x = torch.empty(4, 4, device="meta")
state = torch.get_rng_state()
for y in (F.dropout(x), torch.bernoulli(x), F.gumbel_softmax(x), torch.normal(x, x)):
    assert y.is_meta
assert torch.equal(torch.get_rng_state(), state)
