import torch
from torch import nn


def relative_index(size):
    steps = torch.arange(size, device="cpu")
    coords = torch.stack(torch.meshgrid(steps, steps, indexing="ij")).flatten(1)
    rel = coords[:, :, None] - coords[:, None] + size - 1
    return rel[0] * (2 * size - 1) + rel[1]


class WindowAttention(nn.Module):
    def __init__(self, dim, size, heads):
        super().__init__()
        self.size, self.heads = size, heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.bias_table = nn.Parameter(torch.zeros((2 * size - 1) ** 2, heads))
        nn.init.normal_(self.bias_table)
        self.register_buffer("index", relative_index(size), persistent=False)

    def forward(self, x):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        bias = self.bias_table[self.index].permute(2, 0, 1)
        w = (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5 + bias).softmax(-1)
        return (w @ v).transpose(1, 2).flatten(2)


class WindowNet(nn.Module):
    def __init__(self, dim=16, size=4, classes=3):
        super().__init__()
        self.embed = nn.Conv2d(3, dim, 2, 2)
        self.attn = WindowAttention(dim, size, heads=2)
        self.head = nn.Linear(dim, classes)

    def forward(self, tile):
        x = self.embed(tile).flatten(2).transpose(1, 2)
        return self.head(x + self.attn(x)).transpose(1, 2)
