"""Estimate activation memory for one forward pass in bf16, nothing is allocated."""

import argparse
import contextlib

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        y = nn.functional.scaled_dot_product_attention(q, k, v)
        return self.proj(y.transpose(1, 2).reshape(b, n, d))


class VisionTower(nn.Module):
    def __init__(self, dim=48, depth=3, heads=4, patch=8):
        super().__init__()
        self.embed = nn.Conv2d(3, dim, patch, patch)
        self.blocks = nn.ModuleList(Attention(dim, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(dim)

    def forward(self, images):
        device_type = "cpu" if images.is_meta else images.device.type
        with torch.autocast(device_type=device_type, dtype=torch.bfloat16):
            x = self.embed(images).flatten(2).transpose(1, 2)
            for block in self.blocks:
                x = x + block(x)
        return self.norm(x.float())


@contextlib.contextmanager
def recording(model, sizes):
    def hook(module, _inputs, output):
        sizes[type(module).__name__] = sizes.get(type(module).__name__, 0) + output.numel()

    handles = [m.register_forward_hook(hook) for m in model.modules() if not list(m.children())]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--image-size", type=int, default=64)
    opts = parser.parse_args()
    with torch.device("meta"):
        tower = VisionTower()
        images = torch.empty(opts.batch_size, 3, opts.image_size, opts.image_size)
    sizes: dict[str, int] = {}
    with recording(tower, sizes):
        out = tower(images)
    for name, count in sizes.items():
        print(f"{name:12s} {count / 1e6:8.1f} M values")
    assert tuple(out.shape) == (opts.batch_size, (opts.image_size // 8) ** 2, 48)


if __name__ == "__main__":
    main()
