"""Load a module that computes a buffer in its constructor."""

import torch
from torch import nn

torch.use_deterministic_algorithms(True)


class Scaled(nn.Linear):
    def __init__(self, **options):
        super().__init__(4, 2, **options)
        self.register_buffer("scale", torch.arange(1.0, 3.0, device=options.get("device")), persistent=False)


model = Scaled(device="meta").to_empty(device="cpu")
result = model.load_state_dict(Scaled().state_dict(), strict=True)
assert not result.missing_keys
assert model.scale.isnan().all()
