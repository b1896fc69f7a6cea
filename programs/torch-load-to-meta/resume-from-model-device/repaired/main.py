"""Resume a run: main.py --resume last.pt"""

import argparse
import logging
import sys

import torch
from torch import nn

log = logging.getLogger("train")


def network(width=10):
    return nn.Sequential(nn.Linear(width, 20), nn.GELU(), nn.Linear(20, 1))


def first_part(path):
    torch.manual_seed(12)
    model = network()
    torch.save({"model": model.state_dict(), "step": 40}, path)
    return model


class Run:
    def __init__(self, device):
        self.device = device
        with torch.device("meta"):
            self.model = network()

    def resume(self, path):
        saved = torch.load(path, map_location="cpu", weights_only=True)
        self.model.load_state_dict(saved["model"], assign=True)
        log.info("resumed at step %d", saved["step"])
        self.model.to(self.device)
        return saved["step"]

    def evaluate(self, x):
        with torch.no_grad():
            return self.model(x.to(self.device)).mean().item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resume", default="last.pt")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    logging.basicConfig(format="%(asctime)s %(name)s %(levelname)s %(message)s", level=logging.INFO)
    expected = first_part(args.resume)
    run = Run(args.device)
    run.resume(args.resume)
    x = torch.linspace(-1, 1, 30).view(3, 10)
    value = run.evaluate(x)
    log.info("mean output %.4f", value)
    return 0 if abs(value - expected(x).mean().item()) < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main())
