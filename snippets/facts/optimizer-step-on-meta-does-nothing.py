"""Train a module that is on the meta device."""

import torch
from torch import nn

model = nn.Linear(4, 4, device="meta")
optimizer = torch.optim.AdamW(model.parameters())
model(torch.empty(2, 4, device="meta")).sum().backward()
assert nn.utils.clip_grad_norm_(model.parameters(), 1.0).is_meta
optimizer.step()
assert all(p.is_meta and p.grad.is_meta for p in model.parameters())
