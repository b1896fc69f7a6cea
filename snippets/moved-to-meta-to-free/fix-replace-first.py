"""Replace the encoder of a pipeline, then move the old one to meta."""

import torch
from torch import nn


class Pipeline:
    def __init__(self, encoder):
        self.encoder = encoder

    def __call__(self, inputs):
        return self.encoder(inputs)


torch.manual_seed(0)
encoder = nn.Sequential(nn.Conv2d(4, 4, 3), nn.GroupNorm(2, 4))
pipeline = Pipeline(encoder)
inputs = torch.randn(1, 4, 8, 8)

replacement = nn.Sequential(nn.Conv2d(4, 4, 3), nn.GroupNorm(2, 4))

# code
pipeline.encoder = replacement
encoder.to("meta")
output = pipeline(inputs)

# goal
assert torch.allclose(output, replacement(inputs), atol=1e-5)
