"""Checkpoint store: one safetensors file per model name."""

from pathlib import Path

import torch
from safetensors.torch import save_file

ROOT = Path("store")


class Ranker(torch.nn.Module):
    def __init__(self, features: int = 12, hidden: int = 20) -> None:
        super().__init__()
        self.first = torch.nn.Linear(features, hidden)
        self.norm = torch.nn.LayerNorm(hidden)
        self.score = torch.nn.Linear(hidden, 1)

    def forward(self, x):
        return self.score(self.norm(torch.relu(self.first(x)))).squeeze(-1)


def publish(name: str, seed: int) -> Path:
    torch.manual_seed(seed)
    ROOT.mkdir(exist_ok=True)
    target = ROOT / f"{name}.safetensors"
    save_file(Ranker().state_dict(), target)
    return target
