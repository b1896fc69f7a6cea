"""Read a checkpoint onto the meta device."""

import torch

torch.save({"weight": torch.ones(4, 2, dtype=torch.float16)}, "state.pt")
state = torch.load("state.pt", map_location="meta")

assert state["weight"].is_meta
assert state["weight"].shape == (4, 2)
assert state["weight"].dtype is torch.float16
