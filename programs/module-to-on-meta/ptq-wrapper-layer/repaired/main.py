"""Replace linear layers by int8 ones, one after another."""

import argparse
import logging

import torch
from torch import nn

log = logging.getLogger("int8")


class Int8Linear(nn.Module):
    def __init__(self, n_in, n_out, bias, device=None):
        super().__init__()
        self.register_buffer("q", torch.zeros(n_out, n_in, dtype=torch.int8, device=device))
        self.register_buffer("scale", torch.ones(n_out, 1, device=device))
        self.register_buffer("bias", torch.zeros(n_out, device=device) if bias else None)

    @torch.no_grad()
    def quantise_from(self, layer):
        scale = layer.weight.abs().amax(1, keepdim=True) / 127
        self.scale.copy_(scale)
        self.q.copy_((layer.weight / scale).round().to(torch.int8))
        if self.bias is not None:
            self.bias.copy_(layer.bias)
        return self

    def forward(self, x):
        return nn.functional.linear(x, self.q.to(x.dtype) * self.scale, self.bias)


def replace(model, device, factory_device, skip):
    for name, layer in list(model.named_modules()):
        if not isinstance(layer, nn.Linear) or name in skip:
            continue
        new = Int8Linear(layer.in_features, layer.out_features, layer.bias is not None, factory_device)
        new = new.to(device).quantise_from(layer)
        parent, _, child = name.rpartition(".")
        setattr(model.get_submodule(parent), child, new)
        log.info("replaced %s", name)
    return model


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--skip", nargs="*", default=["head"])
    ap.add_argument("--device", default="cpu")
    ap.add_argument("--factory-device", default="cpu")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(2)
    model = nn.Sequential()
    model.add_module("a", nn.Linear(16, 32))
    model.add_module("act", nn.ReLU())
    model.add_module("b", nn.Linear(32, 32, bias=False))
    model.add_module("head", nn.Linear(32, 4))
    x = torch.randn(10, 16, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        want = model(x)
        got = replace(model, args.device, args.factory_device, args.skip)(x)
    error = (got - want).abs().max().item()
    log.info("largest error %.4f", error)
    assert 0 < error < 0.05


if __name__ == "__main__":
    main()
