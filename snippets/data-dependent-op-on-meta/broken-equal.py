"""Find out whether a model that was built on meta ties its head to its embedding."""

import torch
from torch import nn

with torch.device("meta"):
    embedding = nn.Embedding(32, 16)
    head = nn.Linear(16, 32, bias=False)
    head.weight = embedding.weight

# code
tied = torch.equal(head.weight, embedding.weight)

# goal
assert tied
