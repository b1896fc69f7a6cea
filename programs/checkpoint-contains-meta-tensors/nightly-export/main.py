"""Nightly: export, then reload into a plain model and compare the canary."""

import logging
import sys
from pathlib import Path

import export
import torch
from transformers import GPT2LMHeadModel

log = logging.getLogger("nightly")


def reload(path):
    model = GPT2LMHeadModel(export.config())
    weights = torch.load(path, map_location="cpu", weights_only=True)
    log.info("read %d tensors from %s", len(weights), path)
    model.load_state_dict(weights)
    return model.eval()


def main():
    logging.basicConfig(level=logging.INFO, format="[%(name)s] %(message)s", stream=sys.stdout)
    path = Path("nightly.pt")
    expected = export.run(path)
    model = reload(path)
    with torch.no_grad():
        got = model(torch.arange(8)[None]).logits.mean().item()
    log.info("canary now %.5f", got)
    if abs(expected - got) > 1e-5:
        raise ValueError(f"canary moved from {expected} to {got}")


if __name__ == "__main__":
    main()
