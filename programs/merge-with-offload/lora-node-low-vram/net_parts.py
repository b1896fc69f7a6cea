import torch
from torch import nn


class ImageNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.down = nn.Linear(width, width)
        self.mid = nn.Linear(width, width)
        self.up = nn.Linear(width, width)

    @classmethod
    def build(cls, seed):
        torch.manual_seed(seed)
        return cls().eval().requires_grad_(False)

    def forward(self, x):
        return self.up(torch.tanh(self.mid(torch.tanh(self.down(x)))))

    def with_lora(self, lora, strength):
        for name in ("down", "mid"):
            getattr(self, name).weight += lora[name + ".up"] @ lora[name + ".down"] * strength
        return self


def lora_file(rank=2, width=24):
    g = torch.Generator().manual_seed(9)
    out = {}
    for name in ("down", "mid"):
        out[name + ".up"] = torch.randn(width, rank, generator=g)
        out[name + ".down"] = torch.randn(rank, width, generator=g)
    return out
