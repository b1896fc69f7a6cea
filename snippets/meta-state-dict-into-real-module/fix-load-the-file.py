"""Start an evaluation copy of a model from the state dict of the one that was built on meta."""

import torch
from torch import nn

trained = nn.Linear(64, 32)
torch.save(trained.state_dict(), "model.pt")

with torch.device("meta"):
    model = nn.Linear(64, 32)

# code
evaluation = nn.Linear(64, 32)
evaluation.load_state_dict(torch.load("model.pt", weights_only=True))

# goal
assert not evaluation.weight.is_meta
assert torch.equal(evaluation.weight, trained.weight)
