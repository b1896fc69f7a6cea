"""Look up token ids in an embedding on the meta device."""

import torch
from torch import nn

y = nn.Embedding(10, 4, device="meta")(torch.tensor([1, 2]))
assert y.is_meta
assert y.shape == (2, 4)
assert nn.EmbeddingBag(10, 4, device="meta")(torch.tensor([[1, 2]])).is_meta
