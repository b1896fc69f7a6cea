"""Frozen encoder (offloaded between batches) plus a trained probe; Lightning-style stages."""

from pathlib import Path

import torch
from accelerate import cpu_offload
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.embed = nn.Embedding(50, width)
        self.mix = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, width))

    def forward(self, ids):
        return self.mix(self.embed(ids)).mean(1)


class ProbeTask:
    def __init__(self):
        torch.manual_seed(7)
        self.encoder = Encoder().requires_grad_(False)
        self.probe = nn.Linear(24, 2)

    def configure(self):
        cpu_offload(self.encoder, execution_device=torch.device("cpu"))
        return torch.optim.SGD(self.probe.parameters(), lr=0.5)

    def training_step(self, ids, y):
        return nn.functional.cross_entropy(self.probe(self.encoder(ids)), y)

    def checkpoint(self):
        return {"encoder": self.encoder.state_dict(), "probe": self.probe.state_dict()}


class BestCheckpoint:
    def __init__(self, path):
        self.path, self.best = Path(path), float("inf")

    def on_epoch_end(self, task, loss):
        if loss < self.best:
            self.best = loss
            torch.save(task.checkpoint(), self.path)


def fit(task, callback, epochs=4):
    opt = task.configure()
    ids = torch.randint(0, 50, (40, 6))
    y = (ids[:, 0] > 25).long()
    for epoch in range(epochs):
        opt.zero_grad()
        loss = task.training_step(ids, y)
        loss.backward()
        opt.step()
        callback.on_epoch_end(task, loss.item())
        print(f"epoch={epoch} train_loss={loss.item():.4f}")
    return ids, y


def test(path, ids, y, device="cpu"):
    saved = torch.load(path, map_location=device, weights_only=True)
    with torch.device("meta"):
        task_encoder, probe = Encoder(), nn.Linear(24, 2)
    task_encoder.load_state_dict(saved["encoder"], assign=True)
    probe.load_state_dict(saved["probe"], assign=True)
    encoder, probe = task_encoder.to(device), probe.to(device)
    with torch.no_grad():
        return nn.functional.cross_entropy(probe(encoder(ids)), y).item()


if __name__ == "__main__":
    task, best = ProbeTask(), BestCheckpoint("best.ckpt")
    ids, y = fit(task, best)
    loss = test(best.path, ids, y)
    print("test_loss", loss)
    assert loss <= best.best
