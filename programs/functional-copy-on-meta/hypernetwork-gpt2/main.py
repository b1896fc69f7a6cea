import json
import sys

import torch
from hyper import Scales
from torch import nn
from torch.func import functional_call


class PositionalLM(nn.Module):
    """A one-layer causal model with registered positions and mask."""

    def __init__(self, vocab=30, dim=16, length=12):
        super().__init__()
        self.embed, self.out = nn.Embedding(vocab, dim), nn.Linear(dim, vocab)
        self.qkv = nn.Linear(dim, 3 * dim)
        angles = torch.arange(length)[:, None] / 10 ** (torch.arange(dim) / dim)
        self.register_buffer("positions", angles.sin())
        self.register_buffer("mask", torch.full((length, length), float("-inf")).triu(1))

    def forward(self, ids):
        n = ids.shape[1]
        x = self.embed(ids) + self.positions[:n]
        q, k, v = self.qkv(x).chunk(3, -1)
        weights = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5 + self.mask[:n, :n]).softmax(-1)
        return self.out(x + weights @ v)


class TaskModel:
    def __init__(self, model, tasks):
        self.base = {n: p.detach() for n, p in model.named_parameters()}
        self.template = PositionalLM().to("meta")
        self.scales = Scales(list(self.base), tasks)

    def __call__(self, task, ids):
        return functional_call(self.template, self.scales(task, self.base), (ids,))


def main():
    torch.manual_seed(4)
    plain = PositionalLM().eval()
    model = TaskModel(plain, tasks=3)
    ids = torch.randint(0, 30, (4, 10))
    untrained = model(0, ids)
    same = torch.allclose(untrained, plain(ids), atol=1e-6)
    optimizer = torch.optim.Adam(model.scales.parameters(), lr=0.05)
    losses = []
    for _ in range(5):
        logits = model(1, ids[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(round(loss.item(), 4))
    print(json.dumps({"identity": same, "losses": losses}))
    return 0 if same and losses[-1] < losses[0] else 1


if __name__ == "__main__":
    sys.exit(main())
