"""Call to_empty() on a module with weights."""

import torch
from torch import nn

torch.use_deterministic_algorithms(True)
model = nn.Linear(4, 2)
model.to_empty(device="cpu")
assert all(p.isnan().all() for p in model.parameters())
