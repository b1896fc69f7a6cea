"""Build a causal mask while the model skeleton is built, then use it on real scores."""

import torch
from torch import nn

torch.manual_seed(0)
scores = torch.randn(4, 4)
expected = scores.masked_fill(torch.ones(4, 4).triu(1).bool(), -100.0)

with torch.device("meta"):
    skeleton = nn.Linear(4, 4)
    mask = torch.ones_like(scores).triu(1)

masked = scores - 100.0 * mask - scores * mask

# goal
assert masked.device == scores.device
assert torch.allclose(masked, expected)
