"""A small trainer with checkpoint restore and an end-of-run audit."""

import dataclasses
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")


@dataclasses.dataclass
class Config:
    lr: float = 0.05
    steps: int = 5
    clip: float = 1.0
    restore: str = "init.pt"


def net():
    return nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))


class Trainer:
    def __init__(self, config):
        self.config = config
        with torch.device("meta"):
            self.model = net()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=config.lr)
        self.sched = torch.optim.lr_scheduler.StepLR(self.optimizer, 10)

    def restore(self):
        state = torch.load(self.config.restore, weights_only=True)
        self.model.load_state_dict(state, assign=True)
        for p in self.model.parameters():
            p.requires_grad_(True)
        logging.info("restored %s", self.config.restore)

    def fit(self):
        self.restore()
        before = {n: p.detach().clone() for n, p in self.model.named_parameters()}
        g = torch.Generator().manual_seed(0)
        x = torch.randn(64, 4, generator=g)
        y = (x.sum(1) > 0).long()
        for step in range(self.config.steps):
            loss = nn.functional.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
            self.optimizer.step()
            self.sched.step()
            logging.info("step %d loss %.4f", step, loss.item())
        self.audit(before)

    def audit(self, before):
        now = dict(self.model.named_parameters())
        moved = sum(not torch.equal(before[n], now[n]) for n in before)
        assert moved == len(before), f"only {moved} of {len(before)} parameters moved"


if __name__ == "__main__":
    torch.manual_seed(1)
    torch.save(net().state_dict(), "init.pt")
    Trainer(Config()).fit()
