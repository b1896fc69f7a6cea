"""Build a model and its optimizer on meta, swap the checkpoint into the same parameters, and train."""

import torch
from torch import nn

torch.manual_seed(0)

# code
torch.__future__.set_swap_module_params_on_conversion(True)
checkpoint = nn.Linear(4, 1).state_dict()

with torch.device("meta"):
    model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.load_state_dict({k: v.clone() for k, v in checkpoint.items()}, assign=True)

loss = model(torch.randn(8, 4)).square().mean()
loss.backward()
optimizer.step()

# goal
assert not torch.equal(model.weight.detach(), checkpoint["weight"])
