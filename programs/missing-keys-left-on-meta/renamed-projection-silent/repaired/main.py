"""Port of a retrieval encoder to a new code base, with a golden-output check."""

import json
import sys

import torch
from torch import nn

RENAMES = {"attn.wq": "attn.q", "attn.wk": "attn.k", "attn.wv": "attn.v", "attn.wo": "attn.o"}


class Attn(nn.Module):
    def __init__(self, dim, names):
        super().__init__()
        self.names = names
        for n in names:
            setattr(self, n, nn.Linear(dim, dim, bias=False))

    def forward(self, x):
        q, k, v, o = (getattr(self, n) for n in self.names)
        w = (q(x) @ k(x).transpose(1, 2) / x.shape[-1] ** 0.5).softmax(-1)
        return o(w @ v(x))


class Encoder(nn.Module):
    def __init__(self, names, dim=20):
        super().__init__()
        self.tok = nn.Embedding(64, dim)
        self.attn = Attn(dim, names)
        self.norm = nn.LayerNorm(dim)

    def forward(self, ids):
        x = self.tok(ids)
        return self.norm(x + self.attn(x)).mean(1)


def export_old():
    torch.manual_seed(30)
    old = Encoder(["wq", "wk", "wv", "wo"]).eval()
    ids = torch.arange(24).reshape(3, 8)
    torch.save({"weights": old.state_dict(), "ids": ids, "golden": old(ids).detach()}, "old.pt")


def convert(weights):
    out = {}
    for name, value in weights.items():
        for a, b in RENAMES.items():
            name = name.replace(a, b)
        out[name] = value
    return out


def load_new(weights):
    with torch.device("meta"):
        model = Encoder(["q", "k", "v", "o"])
    model.load_state_dict(convert(weights), assign=True)
    return model.eval()


def main():
    export_old()
    blob = torch.load("old.pt", weights_only=True)
    model = load_new(blob["weights"])
    with torch.no_grad():
        got = model(blob["ids"])
    worst = (got - blob["golden"]).abs().max().item()
    print(json.dumps({"check": "golden", "max_abs_diff": worst}))
    if not worst < 1e-5:
        print("golden output mismatch, port refused", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
