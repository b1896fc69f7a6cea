"""Load a language model with tied embeddings through to_empty() and a full state dict, to train it."""

import torch
from torch import nn


class LanguageModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(128, 32)
        self.head = nn.Linear(32, 128, bias=False)
        self.tie_weights()

    def tie_weights(self):
        self.head.weight = self.embed.weight


device = "cuda" if torch.cuda.is_available() else "cpu"
torch.save(LanguageModel().state_dict(), "model.pt")

with torch.device("meta"):
    model = LanguageModel()

model.to_empty(device=device)

# code
model.load_state_dict(torch.load("model.pt", map_location="cpu"))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.head(model.embed(torch.arange(8, device=device))).logsumexp(-1).sum().backward()
optimizer.step()

# goal
assert torch.equal(model.head.weight, model.embed.weight)
