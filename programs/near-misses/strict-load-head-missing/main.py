"""Start a classifier from an encoder's checkpoint."""

import logging
import sys

import torch
from torch import nn

log = logging.getLogger("start")


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8)
        self.mix = nn.Linear(8, 8)

    def forward(self, ids):
        return self.mix(self.embed(ids)).mean(1)


class Classifier(Encoder):
    def __init__(self, classes):
        super().__init__()
        self.head = nn.Linear(8, classes)

    def forward(self, ids):
        return self.head(super().forward(ids))


def main():
    logging.basicConfig(level=logging.INFO)
    torch.save(Encoder().state_dict(), "encoder.pt")
    model = Classifier(4)
    log.info("devices: %s", {p.device.type for p in model.parameters()})
    try:
        model.load_state_dict(torch.load("encoder.pt", weights_only=True))
    except RuntimeError:
        log.exception("could not load encoder.pt")
        return 1
    print(model(torch.arange(4)[None]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
