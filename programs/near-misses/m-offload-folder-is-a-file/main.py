"""Keep the decoder of an autoencoder on disk."""

import argparse
import logging
import pathlib

import torch
from accelerate import dispatch_model
from torch import nn

log = logging.getLogger("ae")


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(12, 4)
        self.decoder = nn.Linear(4, 12)

    def forward(self, x):
        return self.decoder(torch.tanh(self.encoder(x)))


def mark_run(path):
    """The scheduler leaves a lock file with the name of the run."""
    pathlib.Path(path).write_text("running\n")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--run", default="nightly")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    mark_run(args.run)
    torch.manual_seed(0)
    table = {"encoder": "cpu", "decoder": "disk"}
    log.info("placing %s below %s", table, args.run)
    model = dispatch_model(AutoEncoder().eval(), table, main_device="cpu", offload_dir=args.run)
    with torch.no_grad():
        log.info("error %.4f", (model(torch.ones(2, 12)) - 1).abs().mean())


if __name__ == "__main__":
    main()
