"""Count the parameters of a layer of forty gigabytes."""

from torch import nn

layer = nn.Linear(100_000, 100_000, device="meta")
assert sum(p.numel() for p in layer.parameters()) == 10_000_100_000
assert sum(p.nbytes for p in layer.parameters()) == 40_000_400_000
