"""Load a checkpoint into a block that was built on meta, then move the block to its device."""

import torch
from torch import nn


# code
class Scores(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(64, 64)
        self.register_buffer("mask", torch.ones(16, 16).tril(), persistent=False)

    def forward(self, x):
        return self.proj(x) @ x.mT * self.mask


device = "cuda" if torch.cuda.is_available() else "cpu"
trained = Scores()
torch.save(trained.state_dict(), "scores.pt")
x = torch.randn(16, 64)

with torch.device("meta"):
    model = Scores()

model.load_state_dict(torch.load("scores.pt"), assign=True)
model.to(device)

# goal
assert torch.allclose(model(x.to(device)).cpu(), trained(x), atol=1e-4)
