"""train.py --resume last.pt"""

import argparse
import os

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 12), nn.GELU(), nn.Linear(12, 6))
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(x + self.body(x))


def resume(path):
    with torch.device("meta"):
        model = Classifier()
    state = torch.load(path)
    model.to_empty(device="cpu")
    model.load_state_dict(state["model"])
    return model, state["step"]


def train(model, step, steps):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    x = torch.randn(16, 6, generator=torch.Generator().manual_seed(step))
    y = x.argmax(-1) % 3
    for step in range(step, step + steps):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"step {step + 1}: loss {loss.item():.3f}")
    torch.save({"model": model.state_dict(), "step": step + 1}, "last.pt")
    return loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--resume", default="last.pt")
    parser.add_argument("--steps", type=int, default=10)
    args = parser.parse_args()
    torch.manual_seed(0)
    if not os.path.exists(args.resume):
        first = train(Classifier(), 0, args.steps)
    model, step = resume(args.resume)
    assert train(model, step, args.steps) < first + 0.5


main()
