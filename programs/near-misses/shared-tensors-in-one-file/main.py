"""Export a tied tagger in the safetensors format."""

import torch
from safetensors.torch import save_file
from torch import nn


class Tied(nn.Module):
    def __init__(self, words=30, width=8):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.out = nn.Linear(width, words, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, ids):
        return self.out(self.embed(ids))


def build():
    with torch.device("meta"):
        model = Tied()
    model.to_empty(device="cpu")
    torch.manual_seed(0)
    nn.init.normal_(model.embed.weight)
    model.out.weight = model.embed.weight
    return model


if __name__ == "__main__":
    model = build()
    print("loss", nn.functional.cross_entropy(model(torch.arange(5)), torch.arange(5)).item())
    save_file(model.state_dict(), "tied.safetensors")
