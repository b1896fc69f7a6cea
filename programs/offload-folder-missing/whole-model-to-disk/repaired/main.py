"""Keep many rarely used embedding models open without holding them in memory."""

import argparse
import logging
import os
from collections import OrderedDict

import torch
from accelerate import disk_offload
from torch import nn

log = logging.getLogger("archive")


class Embedder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.words = nn.Embedding(100, dim)
        self.mix = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, 8)

    def forward(self, ids):
        return self.out(torch.tanh(self.mix(self.words(ids))).mean(1))


class Archive:
    def __init__(self, root, resident=1):
        self.root, self.resident = root, resident
        self.models = OrderedDict()

    def open(self, name, seed, dim=16):
        torch.manual_seed(seed)
        model = Embedder(dim).eval()
        if len(self.models) >= self.resident:
            folder = os.path.join(self.root, name)
            os.makedirs(folder, exist_ok=True)
            log.info("%s goes to %s", name, folder)
            model = self.park(model, folder)
        self.models[name] = model
        return model

    def park(self, model, folder):
        return disk_offload(model, folder, execution_device=torch.device("cpu"))

    @torch.no_grad()
    def embed(self, name, ids):
        return self.models[name](torch.tensor([ids]))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default="archive")
    ap.add_argument("--models", nargs="+", default=["news", "legal"])
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
    archive = Archive(args.root)
    for seed, name in enumerate(args.models):
        archive.open(name, seed)
        vector = archive.embed(name, [1, 2, 3])
        torch.manual_seed(seed)
        assert torch.allclose(vector, Embedder(16)(torch.tensor([[1, 2, 3]])), atol=1e-6)
        log.info("%s: %.4f", name, vector.norm())


if __name__ == "__main__":
    main()
