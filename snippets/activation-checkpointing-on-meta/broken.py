"""Build a model that checkpoints its activations on meta, and infer the shape of its output."""

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
output = model(x)

# goal
assert output.shape == (4, 8)
