"""Training with an averaged copy of the weights that is written beside each checkpoint."""

import copy
import logging
from pathlib import Path

import torch
from torch import nn
from torch.optim import SGD

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")


def network():
    return nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))


class Average:
    """An exponential moving average; lives on meta until the warm-up is over."""

    def __init__(self, model, warmup, decay=0.9):
        self.model = copy.deepcopy(model).to("meta")
        self.warmup, self.decay = warmup, decay

    @torch.no_grad()
    def update(self, step, model):
        if step <= self.warmup:
            self.model.load_state_dict(model.state_dict(), assign=True)
            self.model = copy.deepcopy(self.model)
            return
        for mean, value in zip(self.model.parameters(), model.parameters(), strict=True):
            mean.lerp_(value, 1 - self.decay)

    def save(self, folder):
        torch.save(self.model.state_dict(), folder / "ema.pt")


class Run:
    def __init__(self, folder):
        torch.manual_seed(3)
        self.folder = Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.model = network()
        self.average = Average(self.model, warmup=50)
        self.optimizer = SGD(self.model.parameters(), lr=0.05)

    def train(self, steps):
        source = torch.Generator().manual_seed(0)
        for step in range(1, steps + 1):
            x = torch.randn(16, 6, generator=source)
            loss = (self.model(x) - x.sum(1, keepdim=True)).square().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.average.update(step, self.model)
        torch.save(self.model.state_dict(), self.folder / "model.pt")
        self.average.save(self.folder)
        logging.info("step %d loss %.3f", steps, loss.item())


def evaluate(folder):
    saved = torch.load(Path(folder) / "ema.pt", map_location="cpu", weights_only=True)
    missing = [name for name, tensor in saved.items() if tensor.is_meta]
    if missing:
        logging.error("ema.pt cannot be used: %s", ", ".join(missing))
        raise SystemExit(1)
    model = network()
    model.load_state_dict(saved)
    logging.info("average output %.3f", model(torch.ones(1, 6)).item())


if __name__ == "__main__":
    Run("run").train(20)
    evaluate("run")
