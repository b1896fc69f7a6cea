"""Mixed-precision training; the settings come from a file."""

import json
from pathlib import Path

import torch
from torch import nn

SETTINGS = {"device": "cpu", "amp_device": "gpu", "amp_dtype": "bfloat16", "steps": 3}


class Trainer:
    def __init__(self, settings):
        self.settings = settings
        self.model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 1)).to(settings["device"])
        self.optimizer = torch.optim.AdamW(self.model.parameters())

    def autocast(self):
        dtype = getattr(torch, self.settings["amp_dtype"])
        return torch.autocast(self.settings["amp_device"], dtype=dtype)

    def step(self, x, y):
        with self.autocast():
            loss = (self.model(x) - y).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


if __name__ == "__main__":
    Path("settings.json").write_text(json.dumps(SETTINGS))
    torch.manual_seed(0)
    trainer = Trainer(json.loads(Path("settings.json").read_text()))
    for step in range(trainer.settings["steps"]):
        print(step, trainer.step(torch.randn(4, 8), torch.randn(4, 1)))
