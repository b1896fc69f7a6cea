"""Reload weights that another team has trained; offloads them to disk afterwards."""

import json
import logging
import pathlib
import sys

import torch
from accelerate import disk_offload
from transformers import GPT2Config, GPT2LMHeadModel

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(message)s")
SIZES = {"small": {"n_embd": 16, "n_layer": 1}, "medium": {"n_embd": 32, "n_layer": 2}}


def build(size):
    return GPT2LMHeadModel(GPT2Config(n_head=2, vocab_size=30, n_positions=16, **SIZES[size]))


def fetch(folder):
    folder.mkdir(exist_ok=True)
    torch.save(build("small").state_dict(), folder / "weights.pt")
    (folder / "card.json").write_text(json.dumps({"trained_by": "team-b", "size": "s"}))


def restore(folder, size):
    card = json.loads((folder / "card.json").read_text())
    logging.info("restoring weights of %s as %s", card["trained_by"], size)
    model = build(size)
    state = torch.load(folder / "weights.pt", weights_only=True)
    result = model.load_state_dict(state, strict=False)
    logging.info("loaded: %s", result)
    return disk_offload(model, "offload", execution_device=torch.device("cpu"))


if __name__ == "__main__":
    folder = pathlib.Path("team-b")
    fetch(folder)
    model = restore(folder, "medium")
    print(model(torch.tensor([[1, 2]])).logits.shape)
