"""Load weights into a model built on meta and iterate a DataLoader in the same block."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
checkpoint = nn.Linear(4, 1).state_dict()
data = TensorDataset(torch.randn(8, 4), torch.randn(8, 1))

# code
with torch.device("meta"):
    model = nn.Linear(4, 1)
model.load_state_dict(checkpoint, assign=True)
for inputs, targets in DataLoader(data, batch_size=8):
    loss = nn.functional.mse_loss(model(inputs), targets)

# goal
inputs, targets = data[:]
output = inputs @ checkpoint["weight"].T + checkpoint["bias"]
assert torch.allclose(loss.cpu(), (output - targets).square().mean(), atol=1e-6)
