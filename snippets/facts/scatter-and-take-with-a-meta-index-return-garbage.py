"""Index a CPU tensor with a meta tensor in three ways."""

import torch

torch.use_deterministic_algorithms(True)
x = torch.ones(4, 4)
index = torch.zeros(4, 4, dtype=torch.long, device="meta")
for y in (x.scatter(0, index, x), x.take(index), x.index_put((index[0],), x)):
    assert y.device.type == "cpu"
    assert y.isnan().all()
