"""Index a meta tensor with a real index."""

import torch

x = torch.empty(4, 4, device="meta")
assert x[torch.tensor([0, 1])].is_meta
assert x[torch.tensor([True, False, True, False])].shape == (2, 4)
