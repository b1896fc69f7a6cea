"""Build a lookup table on the meta device and hand it to NumPy."""

import numpy as np
import torch

# code
with torch.device("meta"):
    table = torch.linspace(0, 1, 5, device="cpu")

values = table.numpy()

# goal
assert np.allclose(values, [0, 0.25, 0.5, 0.75, 1])
