"""Publish a model to the file registry: weights, card, checksum."""

import hashlib
import json
import logging
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn

log = logging.getLogger("registry")


def ranker():
    return nn.Sequential(nn.EmbeddingBag(40, 16), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))


class Registry:
    def __init__(self, root):
        self.root = Path(root)

    def publish(self, name, version, model):
        folder = self.root / name / version
        folder.mkdir(parents=True, exist_ok=True)
        state = {key: value.detach().contiguous() for key, value in model.state_dict().items()}
        save_file(state, folder / "weights.safetensors")
        digest = hashlib.sha256((folder / "weights.safetensors").read_bytes()).hexdigest()
        card = {"parameters": sum(v.numel() for v in state.values()), "sha256": digest}
        (folder / "card.json").write_text(json.dumps(card))
        log.info("published %s %s: %s", name, version, card)
        return folder


def train(path):
    torch.manual_seed(9)
    model = ranker()
    torch.save({"model": model.state_dict(), "epoch": 3}, path)
    return model


def open_run(path):
    checkpoint = torch.load(path, map_location="cpu")
    with torch.device("meta"):
        model = ranker()
    log.info("run %s, epoch %d", path, checkpoint["epoch"])
    return model


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    trained = train("run.pt")
    folder = Registry("registry").publish("ranker", "1.0", open_run("run.pt"))
    for key, value in load_file(folder / "weights.safetensors").items():
        assert torch.equal(value, trained.state_dict()[key]), key


if __name__ == "__main__":
    main()
