"""A small top-2 mixture of experts, as in our research branch."""

import torch
from torch import nn


class Expert(nn.Module):
    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        self.up = nn.Linear(dim, hidden, bias=False)
        self.down = nn.Linear(hidden, dim, bias=False)

    def forward(self, x):
        return self.down(nn.functional.silu(self.up(x)))


class SparseMoe(nn.Module):
    def __init__(self, dim: int = 32, hidden: int = 64, experts: int = 4, top_k: int = 2) -> None:
        super().__init__()
        self.gate = nn.Linear(dim, experts, bias=False)
        self.experts = nn.ModuleList(Expert(dim, hidden) for _ in range(experts))
        self.top_k = top_k

    def forward(self, hidden):
        shape = hidden.shape
        flat = hidden.reshape(-1, shape[-1])
        weights, chosen = torch.topk(self.gate(flat).softmax(-1), self.top_k, dim=-1)
        out = torch.zeros_like(flat)
        for index, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == index)
            if token.shape[0] == 0:
                continue
            out[token] += weights[token, slot, None] * expert(flat[token])
        return out.reshape(shape)
