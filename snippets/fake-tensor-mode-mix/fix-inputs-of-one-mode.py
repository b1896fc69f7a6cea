"""Make all example inputs of an export under one fake tensor mode."""

import torch
from torch import nn
from torch._subclasses import FakeTensorMode


class Add(nn.Module):
    def forward(self, left, right):
        return left + right


# code
with FakeTensorMode():
    left = torch.ones(3)
    right = torch.ones(3)
program = torch.export.export(Add(), (left, right))

# goal
node = [node for node in program.graph.nodes if node.op == "call_function"][-1]
assert node.meta["val"].shape == (3,)
