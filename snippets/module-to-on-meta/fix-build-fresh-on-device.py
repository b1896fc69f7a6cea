"""Build a network on the meta device and move it to its device to train it from scratch."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"

# code
with torch.device(device):
    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 64))

model.to(device)

# goal
for layer in (model[0], model[2]):
    bound = layer.in_features**-0.5
    assert layer.weight.abs().max() <= bound
    assert layer.weight.std() > bound / 2
