"""Index a real tensor with an index on meta."""

import torch

torch.use_deterministic_algorithms(True)
x = torch.ones(4, 4)
rows = torch.zeros(2, dtype=torch.long, device="meta")
grid = torch.zeros(4, 4, dtype=torch.long, device="meta")
for y in (x[rows], x.index_select(0, rows), x.gather(0, grid)):
    assert y.device.type == "cpu"
    assert y.isnan().all()
