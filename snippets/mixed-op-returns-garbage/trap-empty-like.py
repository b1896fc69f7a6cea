"""Run a language model of which the embedding is still on the meta device."""

import torch
from torch import nn

ids = torch.randint(0, 128, (2, 16))
trained = nn.Embedding(128, 32)

with torch.device("meta"):
    embedding = nn.Embedding(128, 32)

# code
hidden = torch.empty_like(embedding(ids), device="cpu")

# goal
assert not hidden.is_meta
assert torch.equal(hidden, trained(ids))
