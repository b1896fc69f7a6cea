"""Build a model on meta to save memory, and export it with an example input on meta."""

import torch
from torch import nn

with torch.device("meta"):
    model = nn.Linear(4, 2)

# code
program = torch.export.export(model, (torch.randn(3, 4, device="meta"),))

# goal
node = [node for node in program.graph.nodes if node.op == "call_function"][-1]
assert node.meta["val"].shape == (3, 2)
