"""Create tensors in several ways under a meta context."""

import numpy as np
import torch

real = torch.ones(2)
torch.save(real, "real.pt")
with torch.device("meta"):
    caught = [torch.tensor(np.ones(2)), torch.arange(3), torch.linspace(0, 1, 3)]
    kept = [
        torch.from_numpy(np.ones(2)),
        real.new_zeros(2),
        torch.zeros_like(real),
        torch.ones(2, device="cpu"),
    ]
    kept.append(torch.load("real.pt"))
assert all(x.is_meta for x in caught)
assert not any(x.is_meta for x in kept)
