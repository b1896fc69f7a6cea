"""Embed sentences of different lengths; empty ones come from the crawler."""

import json
import logging
import sys

import torch
import torch.nn.functional as F
from torch import nn

log = logging.getLogger("embed")


class Encoder(nn.Module):
    def __init__(self, vocab=30, dim=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim, padding_idx=0)
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, ids):
        pad = ids.eq(0)
        q, k, v = self.qkv(self.tok(ids)).chunk(3, -1)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        scores = scores.masked_fill(pad[:, None], float("-inf"))
        return (scores.softmax(-1) @ v).mean(1)


def batch(rows):
    width = max(map(len, rows))
    return torch.tensor([r + [0] * (width - len(r)) for r in rows])


def main():
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(0)
    model = Encoder().eval()
    log.info("weights on %s", {p.device.type for p in model.parameters()})
    with torch.no_grad():
        vectors = F.normalize(model(batch([[3, 4, 5], [], [6, 7]])), dim=-1)
    broken = vectors.isnan().any(-1).nonzero().flatten().tolist()
    print(json.dumps({"rows": len(vectors), "nan_rows": broken}))
    if broken:
        raise FloatingPointError(f"{len(broken)} vectors are nan: rows {broken}")


if __name__ == "__main__":
    main()
