"""Encode labels that were created on meta."""

import torch

# code
with torch.device("meta"):
    labels = torch.tensor([0, 2, 1])
    encoded = labels.unsqueeze(-1) == torch.arange(3)

# goal
assert encoded.shape == (3, 3)
