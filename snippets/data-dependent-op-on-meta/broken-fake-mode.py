"""Follow the shapes of a router under FakeTensorMode."""

import torch
from torch._subclasses import FakeTensorMode

# code
with FakeTensorMode():
    scores = torch.randn(8, 4)
    rows = torch.where(scores.argmax(-1) == 0)[0]
    picked = scores[rows]

# goal
assert picked.shape[1] == 4
assert type(picked).__name__ == "FakeTensor"
