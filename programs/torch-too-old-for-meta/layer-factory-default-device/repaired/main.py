"""Builds the layers that a recipe names, always with memory behind them."""

import argparse

import torch
from torch import nn

RECIPE = [("linear", 4, 8), ("norm", 8, 8), ("linear", 8, 2)]


class Factory:
    makers = {"linear": nn.Linear, "norm": lambda a, b, **kwargs: nn.LayerNorm(a, **kwargs)}

    def __init__(self, fallback="cpu"):
        self.fallback = fallback

    def device(self):
        device = torch.empty(0).device
        return torch.device(self.fallback) if device.type == "meta" else device

    def make(self, kind, *sizes):
        return self.makers[kind](*sizes, device=self.device())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fallback", default="cpu")
    factory = Factory(**vars(parser.parse_args()))
    torch.set_default_device("meta")
    model = nn.Sequential(*(factory.make(*line) for line in RECIPE))
    torch.set_default_device(None)
    out = model(torch.ones(1, 4))
    print("out", out.tolist())
    assert not any(parameter.is_meta for parameter in model.parameters())


if __name__ == "__main__":
    main()
