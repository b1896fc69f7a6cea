"""Train an autoencoder. Before training, a sanity pass on meta checks shapes without spending memory."""

import argparse
import copy
import logging

import torch
from plugin import FullPrecision, MixedPrecision
from torch import nn

logger = logging.getLogger("trainer")


class AutoEncoder(nn.Module):
    def __init__(self, dim=20, code=4):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(dim, 16), nn.Tanh(), nn.Linear(16, code))
        self.decode = nn.Sequential(nn.Linear(code, 16), nn.Tanh(), nn.Linear(16, dim))

    def forward(self, x):
        return self.decode(self.encode(x))


class Trainer:
    def __init__(self, plugin, epochs):
        self.plugin, self.epochs = plugin, epochs

    def forward(self, module, x):
        with self.plugin.context(module):
            return module(x)

    def sanity(self, module, example):
        skeleton = copy.deepcopy(module).to("meta")
        out = self.forward(skeleton, example.to("meta"))
        if out.shape != example.shape:
            raise ValueError(f"output {tuple(out.shape)} for input {tuple(example.shape)}")

    def fit(self, module, data):
        self.sanity(module, data[:2])
        logger.info("sanity pass done")
        optimizer = torch.optim.Adam(module.parameters(), lr=1e-2)
        for epoch in range(self.epochs):
            loss = (self.forward(module, data).float() - data).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            logger.info("epoch %d loss %.4f", epoch, loss)
        return loss.item()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--precision", choices=["32", "bf16-mixed"], default="bf16-mixed")
    ap.add_argument("--epochs", type=int, default=5)
    opt = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(1)
    trainer = Trainer(MixedPrecision() if opt.precision != "32" else FullPrecision(), opt.epochs)
    assert trainer.fit(AutoEncoder(), torch.randn(64, 20)) < 1.2
