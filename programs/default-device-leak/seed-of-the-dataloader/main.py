import argparse
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class SineWaves(Dataset):
    """Synthetic regression data, one wave per index."""

    def __init__(self, n=64, length=24):
        self.n, self.length = n, length

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        phase = torch.rand(1, generator=g, device="cpu")
        t = torch.arange(self.length + 1, device="cpu") * 0.3 + phase * 6
        wave = torch.sin(t)
        return wave[:-1], wave[-1:]


class Forecaster(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(length, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x)

    def init_weights(self):
        for m in self.modules():
            if isinstance(m, nn.Linear):
                m.reset_parameters()


def train(model, loader, epochs, lr):
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    last = None
    for epoch in range(epochs):
        total = 0.0
        for wave, target in loader:
            loss = F.mse_loss(model(wave), target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(wave)
        last = total / len(loader.dataset)
        print(f"epoch {epoch} loss {last:.4f}", flush=True)
    return last


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--lr", type=float, default=1e-2)
    p.add_argument("--width", type=int, default=32)
    a = p.parse_args(argv)
    torch.manual_seed(1234)
    # deferred init: no double allocation for the big widths
    with torch.device("meta"):
        model = Forecaster(24, a.width)
        data = SineWaves()
        model.to_empty(device="cpu")
        model.init_weights()
        loss = train(model, DataLoader(data, batch_size=16), a.epochs, a.lr)
    print("final loss", loss)
    return 0 if loss < 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
