"""Load the first of two checkpoint shards into a model that was built on meta, and run the model."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(64, 64)
        self.classifier = nn.Linear(64, 32)

    def forward(self, x):
        return self.classifier(self.body(x).relu())


trained = Classifier()
weights = trained.state_dict()
torch.save({name: weights[name] for name in weights if name.startswith("body.")}, "part-1.pt")
torch.save({name: weights[name] for name in weights if name.startswith("classifier.")}, "part-2.pt")
x = torch.randn(4, 64)

with torch.device("meta"):
    net = Classifier()

net.load_state_dict(torch.load("part-1.pt"), strict=False, assign=True)

# code
net.load_state_dict(torch.load("part-2.pt"), strict=False, assign=True)
logits = net(x)

# goal
assert torch.allclose(logits, trained(x), atol=1e-5)
