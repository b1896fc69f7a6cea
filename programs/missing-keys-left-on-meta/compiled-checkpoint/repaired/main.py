"""Serve an embedding model from a training checkpoint."""

import logging
from pathlib import Path

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-7s %(name)s - %(message)s")
log = logging.getLogger("embed.server")


class Tower(nn.Module):
    def __init__(self, vocab=200, dim=32, depth=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.project = nn.Linear(dim, 16)

    def forward(self, ids):
        return nn.functional.normalize(self.project(self.encoder(self.embed(ids)).mean(1)), dim=-1)


def train_and_save(path):
    torch.manual_seed(0)
    compiled = torch.compile(Tower(), backend="eager")
    torch.save({"model": compiled.state_dict(), "epoch": 4}, path)


def restore(path, device):
    ckpt = torch.load(path, map_location=device, weights_only=True)
    with torch.device("meta"):
        tower = Tower()
    state = {k.removeprefix("_orig_mod."): v for k, v in ckpt["model"].items()}
    keys = tower.load_state_dict(state, assign=True)
    log.info(
        "epoch %d: missing %d, unexpected %d (first: %s)",
        ckpt["epoch"],
        len(keys.missing_keys),
        len(keys.unexpected_keys),
        next(iter(keys.unexpected_keys), "-"),
    )
    return tower.eval().to(device)


def main():
    path, device = Path("last.ckpt"), torch.device("cpu")
    train_and_save(path)
    tower = restore(path, device)
    ids = torch.arange(12).reshape(2, 6)
    vecs = tower(ids)
    torch.manual_seed(0)
    assert torch.allclose(vecs, Tower().eval()(ids), atol=1e-5)
    log.info("vector norm %.3f", vecs.norm(dim=-1).mean().item())


if __name__ == "__main__":
    main()
