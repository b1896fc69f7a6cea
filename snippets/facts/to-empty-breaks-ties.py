"""Allocate a module whose head is tied to its embedding."""

from torch import nn

model = nn.Module()
model.embedding = nn.Embedding(8, 4, device="meta")
model.head = nn.Linear(4, 8, bias=False, device="meta")
model.head.weight = model.embedding.weight
model.to_empty(device="cpu")
assert model.head.weight is not model.embedding.weight
assert model.head.weight.data_ptr() != model.embedding.weight.data_ptr()
model.head.weight = model.embedding.weight
assert model.head.weight is model.embedding.weight
