"""Trace a training step of a model that checkpoints its activations, with every tensor on meta."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


# code
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.checkpointing = True

    def forward(self, x):
        if self.checkpointing:
            return checkpoint(self.layer, x, use_reentrant=False)
        return self.layer(x)


with torch.device("meta"):
    model = Block()
    x = torch.empty(4, 8)
model.checkpointing = False
output = model(x)
output.sum().backward()

# goal
assert model.layer.weight.grad.shape == (8, 8)
