"""Step an optimizer that was built before the weights were real."""

import torch
from torch import nn

checkpoint = nn.Linear(4, 1).state_dict()
layer = nn.Linear(4, 1, device="meta")
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
layer.load_state_dict({name: tensor.clone() for name, tensor in checkpoint.items()}, assign=True)
layer(torch.ones(2, 4)).sum().backward()
optimizer.step()

assert layer.weight.grad.abs().sum() > 0
assert torch.equal(layer.weight, checkpoint["weight"])

allocated = nn.Linear(4, 1, device="meta")
optimizer = torch.optim.SGD(allocated.parameters(), lr=0.1)
allocated.to_empty(device="cpu").load_state_dict(checkpoint)
allocated(torch.ones(2, 4)).sum().backward()
optimizer.step()
assert allocated.weight.grad.abs().sum() > 0
assert torch.equal(allocated.weight, checkpoint["weight"])
