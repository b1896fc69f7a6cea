"""Give a pretrained body a new head: build both on meta, load the body, move the model."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
body = nn.Linear(64, 256)
torch.save({f"body.{name}": value for name, value in body.state_dict().items()}, "body.pt")

with torch.device("meta"):
    net = nn.ModuleDict({"body": nn.Linear(64, 256), "head": nn.Linear(256, 64)})

net.load_state_dict(torch.load("body.pt"), strict=False, assign=True)

# code
net.to_empty(device=device)

# goal
assert torch.equal(net["body"].weight.cpu(), body.weight)
assert net["head"].weight.abs().max() <= 256**-0.5
assert net["head"].weight.std() > 256**-0.5 / 2
