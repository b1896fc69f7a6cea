"""Encode labels that were created on meta."""

import torch
import torch.nn.functional as F

# code
with torch.device("meta"):
    labels = torch.tensor([0, 2, 1])
    encoded = F.one_hot(labels)

# goal
assert encoded.shape == (3, 3)
