"""Size report of vocoders: parameters and receptive field, without allocating anything."""

import argparse
import logging

import torch
from torch import nn
from torch.nn.utils import weight_norm

log = logging.getLogger("vocoder")


class ResUnit(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.dilated = weight_norm(nn.Conv1d(ch, ch, 3, padding=dilation, dilation=dilation))
        self.point = weight_norm(nn.Conv1d(ch, ch, 1))

    def forward(self, x):
        return x + self.point(torch.relu(self.dilated(torch.relu(x))))


class Vocoder(nn.Module):
    def __init__(self, mels=20, ch=16, dilations=(1, 3, 9)):
        super().__init__()
        self.inp = nn.Conv1d(mels, ch, 7, padding=3)
        self.units = nn.Sequential(*(ResUnit(ch, d) for d in dilations))
        self.out = nn.Conv1d(ch, 1, 7, padding=3)

    def forward(self, mel):
        return torch.tanh(self.out(self.units(self.inp(mel))))


def report(ch, frames, device):
    with torch.device(device):
        model = Vocoder(ch=ch)
        wave = model(torch.empty(1, 20, frames))
    return sum(p.numel() for p in model.parameters()), tuple(wave.shape)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--channels", type=int, nargs="+", default=[8, 16])
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    sizes = []
    for ch in args.channels:
        params, shape = report(ch, 64, args.device)
        log.info("channels %3d: %6d parameters, output %s", ch, params, shape)
        sizes.append(params)
        assert shape == (1, 1, 64)
    assert sizes == sorted(sizes)


if __name__ == "__main__":
    main()
