"""embedkit: sentence vectors. Prints its environment first, for bug reports."""

import argparse
import importlib.metadata
import platform
import sys

import torch
from embedkit_model import EmbedConfig, EmbedModel

PINS = {"transformers": "4.46.3", "torch": "2.4.1", "accelerate": "1.0.1"}


def environment():
    print(f"- python: {platform.python_version()}", file=sys.stderr)
    for name, pin in PINS.items():
        print(f"- {name}: {importlib.metadata.version(name)} (pinned: {pin})", file=sys.stderr)


def ensure(folder):
    torch.manual_seed(8)
    EmbedModel(EmbedConfig()).save_pretrained(folder)


def embed(model, texts):
    ids = torch.tensor([[ord(c) % 64 for c in t.ljust(12)[:12]] for t in texts])
    with torch.no_grad():
        return torch.nn.functional.normalize(model(ids), dim=-1)


def main():
    ap = argparse.ArgumentParser(prog="embedkit")
    ap.add_argument("texts", nargs="*", default=["the cat sat", "the cat sat down", "stock prices"])
    ap.add_argument("--model", default="embedkit-mini")
    args = ap.parse_args()
    environment()
    ensure(args.model)
    model = EmbedModel.from_pretrained(args.model).eval()
    vectors = embed(model, args.texts)
    sims = (vectors @ vectors.T)[0].tolist()
    for text, sim in zip(args.texts, sims):
        print(f"{sim:.3f}  {text}")
    assert abs(sims[0] - 1) < 1e-5
    assert len(sims) == len(args.texts)


if __name__ == "__main__":
    main()
