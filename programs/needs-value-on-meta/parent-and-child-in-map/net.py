import torch
from safetensors.torch import save_file
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, device):
        super().__init__()
        self.mix = nn.Linear(dim, dim, device=device)
        self.ff = nn.Sequential(
            nn.Linear(dim, 4 * dim, device=device), nn.GELU(), nn.Linear(4 * dim, dim, device=device)
        )

    def forward(self, x):
        return x + self.ff(self.mix(x))


class Encoder(nn.Module):
    def __init__(self, dim=16, depth=2, device=None):
        super().__init__()
        self.embed = nn.Embedding(32, dim, device=device)
        self.blocks = nn.ModuleList(Block(dim, device) for _ in range(depth))
        self.out = nn.Linear(dim, 4, device=device)

    def forward(self, ids):
        x = self.embed(ids)
        for b in self.blocks:
            x = b(x)
        return self.out(x.mean(1))

    @classmethod
    def reference(cls):
        torch.manual_seed(17)
        return cls().eval()


def write_checkpoint(path):
    save_file(Encoder.reference().state_dict(), path)
    return path
