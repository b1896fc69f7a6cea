"""Dry run of a decoder layer: are all shapes right for the sizes in the sweep file?"""

import json
import sys
import traceback
from pathlib import Path

import torch
from rope import RotaryEmbedding, rotate

SWEEP = [{"dim": 64, "heads": 4, "length": 128}, {"dim": 96, "heads": 6, "length": 64}]


class DecoderLayer(torch.nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.head_dim = heads, dim // heads
        self.q = torch.nn.Linear(dim, dim, bias=False)
        self.k = torch.nn.Linear(dim, dim, bias=False)
        self.v = torch.nn.Linear(dim, dim, bias=False)
        self.o = torch.nn.Linear(dim, dim, bias=False)
        self.rotary = RotaryEmbedding(self.head_dim)

    def split(self, x):
        return x.unflatten(-1, (self.heads, self.head_dim)).transpose(1, 2)

    def forward(self, x):
        cos, sin = self.rotary(x, torch.arange(x.shape[1], device=x.device))
        q, k = rotate(self.split(self.q(x)), cos, sin), rotate(self.split(self.k(x)), cos, sin)
        y = torch.nn.functional.scaled_dot_product_attention(q, k, self.split(self.v(x)), is_causal=True)
        return self.o(y.transpose(1, 2).flatten(2))


def dry_run(spec):
    with torch.device("meta"):
        layer = DecoderLayer(spec["dim"], spec["heads"])
        x = torch.empty(2, spec["length"], spec["dim"])
    return list(layer(x).shape)


def main():
    Path("sweep.json").write_text(json.dumps(SWEEP))
    failed = 0
    for i, spec in enumerate(json.loads(Path("sweep.json").read_text())):
        try:
            print(i, spec, "->", dry_run(spec))
        except Exception as error:
            failed += 1
            print(i, spec, "FAILED:", error)
            traceback.print_exc()
    sys.exit(1 if failed else 0)


main()
