"""Look for a meta token id among real ones."""

import torch

torch.use_deterministic_algorithms(True)

tokens = torch.arange(6)
stop = torch.tensor([2], device="meta")
mask = torch.isin(tokens, stop)
assert mask.device.type == "cpu"
assert mask.shape == (6,)
assert mask.all()
