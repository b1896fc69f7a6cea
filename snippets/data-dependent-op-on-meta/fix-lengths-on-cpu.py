"""Work out the shapes of a packed batch on meta: one piece per sequence length."""

import torch

# code
with torch.device("meta"):
    lengths = torch.tensor([3, 1, 4], device="cpu")
    packed = torch.randn(8, 16)

pieces = packed.split(lengths.tolist())

# goal
assert [piece.shape[0] for piece in pieces] == [3, 1, 4]
