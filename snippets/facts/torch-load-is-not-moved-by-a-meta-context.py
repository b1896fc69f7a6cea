"""Read a checkpoint under a meta context."""

import torch
from torch import nn

torch.save({"weight": torch.ones(2, 3)}, "state.pt")
with torch.device("meta"):
    state = torch.load("state.pt")
    layer = nn.Linear(3, 2, bias=False)
    layer.load_state_dict(state, assign=True)
assert not state["weight"].is_meta
assert state["weight"].sum() == 6
assert torch.equal(layer.weight, torch.ones(2, 3))
