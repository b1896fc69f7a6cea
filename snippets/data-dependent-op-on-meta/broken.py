"""Build a network on meta that reads its drop rates from a tensor."""

import torch
from torch import nn


# code
class DropPathStack(nn.Module):
    def __init__(self, depth=4):
        super().__init__()
        rates = torch.linspace(0, 0.3, depth)
        self.layers = nn.ModuleList(nn.Dropout(rate.item()) for rate in rates)


with torch.device("meta"):
    model = DropPathStack()

# goal
assert [round(layer.p, 3) for layer in model.layers] == [0.0, 0.1, 0.2, 0.3]
