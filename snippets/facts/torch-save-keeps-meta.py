"""Save a state dict that is on meta."""

import os

import torch

torch.save({"weight": torch.empty(1000, 1000, device="meta")}, "model.pt")
assert os.path.getsize("model.pt") < 5_000
assert torch.load("model.pt", map_location="cpu")["weight"].is_meta
