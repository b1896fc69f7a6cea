"""Replace the encoder of a pipeline, then move the old one to meta."""

import torch
from torch import nn


class Pipeline:
    def __init__(self, encoder):
        self.encoder = encoder

    def __call__(self, inputs):
        return self.encoder(inputs)


torch.manual_seed(0)
encoder = nn.Linear(4, 2)
pipeline = Pipeline(encoder)
inputs = torch.randn(3, 4)

replacement = nn.Linear(4, 2)
pipeline.encoder = replacement
encoder.to("meta")
output = pipeline(inputs)

# goal
assert torch.equal(output, replacement(inputs))
