"""Denoise a signal with a small residual net."""

import argparse
import logging
from pathlib import Path

import torch
from torch import nn

logger = logging.getLogger("denoise")


class ResBlock(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.conv1 = nn.Conv1d(ch, ch, 3, padding=1)
        self.norm = nn.GroupNorm(4, ch)
        self.conv2 = nn.Conv1d(ch, ch, 3, padding=1)

    def forward(self, x):
        return x + self.conv2(torch.relu(self.norm(self.conv1(x))))


class Denoiser(nn.Module):
    def __init__(self, ch=16, depth=3):
        super().__init__()
        self.inp = nn.Conv1d(1, ch, 5, padding=2)
        self.body = nn.Sequential(*(ResBlock(ch) for _ in range(depth)))
        self.out = nn.Conv1d(ch, 1, 5, padding=2)

    def forward(self, x):
        return x - self.out(self.body(self.inp(x)))


def write_demo_checkpoint(path):
    torch.manual_seed(3)
    torch.save({"step": 1200, "ema": Denoiser().state_dict()}, path)


def load_denoiser(path, device):
    with torch.device("meta"):
        net = Denoiser()
    ckpt = torch.load(path, map_location="cpu", weights_only=True)
    result = net.load_state_dict(ckpt["ema"], assign=True)
    logger.info("step %d: %s", ckpt["step"], result)
    return net.to(device).eval()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ckpt", type=Path, default=Path("denoiser.pt"))
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    if not args.ckpt.exists():
        write_demo_checkpoint(args.ckpt)
    net = load_denoiser(args.ckpt, args.device)
    wave = torch.sin(torch.linspace(0, 20, 256)).reshape(1, 1, -1)
    with torch.no_grad():
        clean = net(wave.to(args.device))
    torch.manual_seed(3)
    assert torch.allclose(clean.cpu(), Denoiser().eval()(wave), atol=1e-5)
    logger.info("done, residual %.4f", (clean.cpu() - wave).abs().mean())


if __name__ == "__main__":
    main()
