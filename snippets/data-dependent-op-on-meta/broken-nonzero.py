"""Count the operations of a mixture of experts by running it on the meta device."""

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(16, 4, bias=False)
        self.experts = nn.ModuleList(nn.Linear(16, 16, bias=False) for _ in range(4))

    def forward(self, x):
        chosen = self.gate(x).argmax(-1)
        out = torch.zeros_like(x)
        for index, expert in enumerate(self.experts):
            rows = torch.where(chosen == index)[0]
            out[rows] = expert(x[rows])
        return out


# code
with torch.device("meta"):
    model = Experts()
    x = torch.randn(8, 16)

with FlopCounterMode(display=False) as counter:
    model(x)

# goal
assert counter.get_total_flops() == 2 * 8 * 16 * (4 + 16)
