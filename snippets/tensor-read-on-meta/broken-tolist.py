"""Read the weights of one layer of a model that was built on the meta device."""

import torch
from torch import nn

trained = nn.Linear(4, 2)
torch.save(trained.state_dict(), "model.pt")

with torch.device("meta"):
    model = nn.Linear(4, 2)

# code
weights = model.weight.tolist()

# goal
assert weights == trained.weight.tolist()
