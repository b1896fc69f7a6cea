"""Build a model and its optimizer on meta, allocate and fill the model, and train one step."""

import torch
from torch import nn

torch.manual_seed(0)

# code
checkpoint = nn.Linear(4, 1).state_dict()

with torch.device("meta"):
    model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.to_empty(device="cpu")
model.load_state_dict(checkpoint)

loss = model(torch.randn(8, 4)).square().mean()
loss.backward()
optimizer.step()

# goal
assert not torch.equal(model.weight.detach(), checkpoint["weight"])
