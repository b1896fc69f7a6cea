"""Fuse q, k and v of every block and compare with the unfused model."""

import argparse
import time

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(dim, dim, bias=False)
        self.k = nn.Linear(dim, dim, bias=False)
        self.v = nn.Linear(dim, dim, bias=False)
        self.o = nn.Linear(dim, dim, bias=False)
        self.qkv = None

    def forward(self, x):
        parts = self.qkv(x).chunk(3, -1) if self.qkv else (self.q(x), self.k(x), self.v(x))
        q, k, v = (p.unflatten(-1, (self.heads, -1)).transpose(1, 2) for p in parts)
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(y.transpose(1, 2).flatten(2))


class Decoder(nn.Module):
    def __init__(self, vocab=50, dim=32, depth=2, heads=4):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList(Attention(dim, heads) for _ in range(depth))
        self.lm_head = nn.Linear(dim, vocab, bias=False)

    def forward(self, ids):
        x = self.tok(ids)
        for b in self.blocks:
            x = x + b(x)
        return self.lm_head(x)


@torch.no_grad()
def fuse(model, device="meta"):
    for block in model.blocks:
        dim = block.q.in_features
        block.qkv = nn.Linear(dim, 3 * dim, bias=False, device=device)
    return model


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tokens", type=int, default=12)
    p.add_argument("--quiet", action="store_true")
    args = p.parse_args()
    torch.manual_seed(0)
    model = Decoder().eval()
    ids = torch.arange(args.tokens)[None] % 50
    with torch.no_grad():
        before = model(ids)
        t = time.perf_counter()
        after = fuse(model)(ids)
    if not args.quiet:
        print(f"fused forward took {1e3 * (time.perf_counter() - t):.1f} ms")
    drift = (before - after).abs().max().item()
    assert drift < 1e-4, f"fused model drifts from the original: max |delta| = {drift}"
    print("fused model agrees")


if __name__ == "__main__":
    main()
