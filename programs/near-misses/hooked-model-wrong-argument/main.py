"""A scoring function over a model whose layers are fetched from CPU memory."""

import torch
from accelerate import cpu_offload
from torch import nn


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 6)
        self.head = nn.Linear(6, 1)

    def forward(self, x):
        return self.head(self.body(x).tanh()).squeeze(-1)


def load():
    torch.manual_seed(4)
    scorer = Scorer().eval()
    cpu_offload(scorer, execution_device=torch.device("cpu"))
    return scorer


@torch.no_grad()
def score(model, rows, temperature):
    return model(rows, temperature=temperature)


if __name__ == "__main__":
    model = load()
    rows = torch.randn(3, 6)
    print("plain scores", model(rows).tolist())
    print("scaled", score(model, rows, 0.7))
