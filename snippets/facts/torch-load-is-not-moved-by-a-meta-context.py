"""Read a checkpoint under a meta context."""

import torch

torch.save({"weight": torch.ones(3)}, "state.pt")
with torch.device("meta"):
    state = torch.load("state.pt")
assert not state["weight"].is_meta
assert state["weight"].sum() == 3
