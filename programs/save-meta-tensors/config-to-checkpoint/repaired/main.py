"""Build step: start.pt for a training run, from a donor file where there is one.

python main.py --donor donor.pt --out start.pt
"""

import argparse
import os
import sys

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, width, tags):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.mix = nn.GRU(width, width, batch_first=True)
        self.tags = nn.Linear(width, tags)

    def forward(self, ids):
        return self.tags(self.mix(self.words(ids))[0])


def donor(path):
    torch.manual_seed(77)
    torch.save(Tagger(30, 8, 4).state_dict(), path)
    return path


def build(options):
    with torch.device("meta"):
        model = Tagger(30, 8, 4)
    model.load_state_dict(torch.load(options.donor, weights_only=True), assign=True)
    size = sum(p.numel() for p in model.parameters())
    print(f"{size} parameters, {size * 4 / 1024:.1f} KiB")
    return model


def publish(model, path):
    torch.save({"model": model.state_dict(), "step": 0}, path + ".tmp")
    os.replace(path + ".tmp", path)


def first_step(path):
    saved = torch.load(path, weights_only=True)
    model = Tagger(30, 8, 4)
    model.load_state_dict(saved["model"])
    return model(torch.arange(6)[None]).argmax(-1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--donor", default="donor.pt")
    parser.add_argument("--out", default="start.pt")
    options = parser.parse_args()
    donor(options.donor)
    publish(build(options), options.out)
    print("published", options.out)
    print("first tags", first_step(options.out).tolist())
    return 0


if __name__ == "__main__":
    sys.exit(main())
