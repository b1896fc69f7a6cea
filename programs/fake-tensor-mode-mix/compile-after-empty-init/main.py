"""Fine-tune with torch.compile; weights are loaded late to keep the peak low."""

import argparse
import logging

import torch
from accelerate import init_empty_weights
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("compiled")


class Encoder(nn.Module):
    def __init__(self, features=10, dim=16):
        super().__init__()
        self.mix = nn.Linear(features, dim)
        self.out = nn.Linear(dim, 2)

    def forward(self, x):
        return self.out(torch.tanh(self.mix(x)).mean(1))


class Run:
    def __init__(self, checkpoint):
        self.checkpoint = checkpoint
        with init_empty_weights():
            self.model = Encoder()
        self.forward = torch.compile(self.model, backend="eager", fullgraph=True)

    def load(self):
        state = torch.load(self.checkpoint, weights_only=True)
        self.model.load_state_dict(state, assign=True)
        log.info("weights loaded")

    def probe(self, batch):
        """Compile before the clock starts."""
        with torch.no_grad():
            self.forward(batch)
        log.info("compiled")

    def start(self, batch):
        self.probe(batch)
        self.load()
        return self.forward(batch)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", default="encoder.pt")
    args = parser.parse_args()
    torch.manual_seed(97)
    source = Encoder()
    torch.save(source.state_dict(), args.checkpoint)
    batch = torch.randn(4, 7, 10)
    try:
        out = Run(args.checkpoint).start(batch)
    except Exception:
        log.exception("run failed")
        raise SystemExit(1) from None
    torch.testing.assert_close(out, source(batch))


if __name__ == "__main__":
    main()
