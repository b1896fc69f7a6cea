"""Compile and export a meta layer with a meta input."""

import torch
from torch import nn

layer = nn.Linear(4, 2, device="meta")
x = torch.empty(3, 4, device="meta")
output = torch.compile(layer, backend="eager")(x)
program = torch.export.export(layer, (x,))

assert output.is_meta
assert output.shape == (3, 2)
assert any(node.op == "call_function" for node in program.graph.nodes)
