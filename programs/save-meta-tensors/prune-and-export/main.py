"""Keep the first layers of a checkpoint: main.py N"""

import sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn


class Tower(nn.Module):
    def __init__(self, depth, width=12):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x).relu()
        return self.norm(x)


def original(path, depth=4):
    torch.manual_seed(8)
    tower = Tower(depth)
    save_file(tower.state_dict(), path)
    return tower


def keep(path, count, out):
    with torch.device("meta"):
        tower = Tower(4)
    tower.layers = tower.layers[:count]
    tensors = {name: tensor.contiguous() for name, tensor in tower.state_dict().items()}
    save_file(tensors, out, metadata={"format": "pt", "source": Path(path).name})


def main(count=2):
    whole = original("tower.safetensors")
    keep("tower.safetensors", count, "short.safetensors")
    short = Tower(count)
    short.load_state_dict(load_file("short.safetensors"))
    x = torch.randn(2, 12)
    whole.layers = whole.layers[:count]
    torch.testing.assert_close(short(x), whole(x))
    print(f"kept {count} layers, {Path('short.safetensors').stat().st_size} bytes")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
