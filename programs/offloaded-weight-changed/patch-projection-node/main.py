"""Node graph: load, low memory mode, style patch, render."""

import sys

import torch
from accelerate import cpu_offload
from torch import nn


class Painter(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.inp = nn.Linear(4, dim)
        self.proj = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, 3)

    def forward(self, z):
        return self.out(torch.sin(self.proj(torch.sin(self.inp(z))))).sigmoid()


class Graph:
    def __init__(self):
        self.steps = []
        self.state = {}

    def add(self, title, fn):
        self.steps.append((title, fn))

    def run(self):
        for title, fn in self.steps:
            print(f"[node] {title}")
            fn(self.state)
        return self.state


def load(s):
    torch.manual_seed(10)
    s["model"] = Painter().eval().requires_grad_(False)


def low_memory(s):
    cpu_offload(s["model"], execution_device=torch.device("cpu"))


def patch(s):
    g = torch.Generator().manual_seed(4)
    weight = torch.randn(16, 16, generator=g) * 0.8
    s["model"].proj.weight = nn.Parameter(weight, requires_grad=False)
    print("[style] proj.weight replaced")


def render(key):
    def fn(s):
        z = torch.linspace(-1, 1, 24).reshape(6, 4)
        with torch.no_grad():
            s[key] = s["model"](z)

    return fn


def main():
    graph = Graph()
    graph.add("Load", load)
    graph.add("Render (before)", render("before"))
    graph.add("LowMemory", low_memory)
    graph.add("StylePatch", patch)
    graph.add("Render (after)", render("after"))
    s = graph.run()
    change = (s["after"] - s["before"]).abs().max().item()
    print(f"largest change of a pixel: {change:.6f}")
    if change < 1e-3:
        print("the style patch had no effect", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
