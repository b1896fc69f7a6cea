"""Rate answers with a model that is spread over memory and disk."""

import argparse
import logging
import tempfile

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from safetensors.torch import save_file
from torch import nn

log = logging.getLogger("quality")


class Quality(nn.Module):
    def __init__(self, vocab=40, dim=16):
        super().__init__()
        self.words = nn.Embedding(vocab, dim)
        self.reader = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.head = nn.Linear(dim, 1)

    def forward(self, ids):
        return self.head(self.reader(self.words(ids)).mean(1)).squeeze(-1)


def body_file(path):
    torch.manual_seed(4)
    state = Quality().state_dict()
    save_file({k: v for k, v in state.items() if not k.startswith("head.")}, path, metadata={"format": "pt"})


def build():
    with init_empty_weights():
        model = Quality()
    model.head = nn.Linear(model.head.in_features, 1)
    return model


def load(path, places):
    model = build()
    log.info("%s -> %s", path, places)
    folder = tempfile.mkdtemp(prefix="quality-", dir=".")
    return load_checkpoint_and_dispatch(model, path, device_map=places, offload_folder=folder).eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--file", default="quality-body.safetensors")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-7s %(message)s")
    body_file(args.file)
    torch.manual_seed(9)
    model = load(args.file, {"words": "cpu", "reader": "disk", "head": "cpu"})
    with torch.no_grad():
        scores = model(torch.tensor([[1, 2, 3], [4, 5, 6]]))
    log.info("scores %s", [round(s, 4) for s in scores.tolist()])
    assert scores.isfinite().all()
    assert scores.abs().max() < 3


if __name__ == "__main__":
    main()
