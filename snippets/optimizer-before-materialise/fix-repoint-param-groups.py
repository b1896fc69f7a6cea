"""Fill a model from a checkpoint, then point the optimizer at its new parameters, and train one step."""

import torch
from torch import nn

torch.manual_seed(0)

# code
checkpoint = nn.Linear(4, 1).state_dict()

with torch.device("meta"):
    model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.load_state_dict({k: v.clone() for k, v in checkpoint.items()}, assign=True)
optimizer.param_groups[0]["params"] = list(model.parameters())

loss = model(torch.randn(8, 4)).square().mean()
loss.backward()
optimizer.step()

# goal
assert not torch.equal(model.weight.detach(), checkpoint["weight"])
