"""Train a module that is on the meta device."""

import torch
from torch import nn

model = nn.Linear(4, 4, device="meta")
optimizer = torch.optim.AdamW(model.parameters())
model(torch.empty(2, 4, device="meta")).sum().backward()
assert nn.utils.clip_grad_norm_(model.parameters(), 1.0).is_meta
optimizer.step()
torch.optim.SGD(model.parameters()).step()
assert all(p.is_meta and p.grad.is_meta for p in model.parameters())

optim, messages = torch.optim, []
calls = [optim.ASGD(model.parameters()).step, optim.Adafactor(model.parameters()).step]
calls.append(lambda: optim.LBFGS(model.parameters()).step(lambda: torch.zeros(())))
calls.append(lambda: nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True))
for call in calls:
    try:
        call()
    except RuntimeError as error:
        messages.append(str(error))
assert messages == ["Tensor.item() cannot be called on meta tensors"] * 4
