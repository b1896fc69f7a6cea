import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, dim, base=100.0):
        super().__init__()
        self.dim, self.base = dim, base
        self.register_buffer("inv_freq", self.compute(), persistent=False)

    def compute(self, device=None):
        return self.base ** (-torch.arange(0, self.dim, 2, device=device).float() / self.dim)

    def forward(self, x):
        angle = torch.arange(x.shape[1])[:, None] * self.inv_freq
        a, b = x.chunk(2, -1)
        return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], -1)


class Attention(nn.Module):
    def __init__(self, vocab=40, dim=16):
        super().__init__()
        self.embed, self.qkv = nn.Embedding(vocab, dim), nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, vocab)
        self.rotary = Rotary(dim)

    def forward(self, ids):
        q, k, v = self.qkv(self.embed(ids)).chunk(3, -1)
        x = nn.functional.scaled_dot_product_attention(self.rotary(q), self.rotary(k), v, is_causal=True)
        return self.out(x)
