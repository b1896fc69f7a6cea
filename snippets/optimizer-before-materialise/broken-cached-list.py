"""Keep a list of a meta model's parameters, fill the model, and clip its gradients through the list."""

import torch
from torch import nn

torch.manual_seed(0)
checkpoint = nn.Linear(4, 1).state_dict()

with torch.device("meta"):
    model = nn.Linear(4, 1)

# code
trainable = [p for p in model.parameters() if p.requires_grad]
model.load_state_dict(checkpoint, assign=True)

(100 * model(torch.randn(8, 4))).square().mean().backward()
nn.utils.clip_grad_norm_(trainable, max_norm=1.0)

# goal
assert model.weight.grad.norm() <= 1.001
