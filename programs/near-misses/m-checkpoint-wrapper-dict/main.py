"""Start a denoiser from a training checkpoint."""

import argparse
import logging

import torch
from torch import nn

log = logging.getLogger("denoise")


def net():
    return nn.Sequential(nn.Conv1d(1, 4, 3, padding=1), nn.ReLU(), nn.Conv1d(4, 1, 3, padding=1))


def training_run(path):
    torch.manual_seed(0)
    model = net()
    torch.save({"model": model.state_dict(), "epoch": 3, "ema_decay": 0.999}, path)


def start(path, device):
    with torch.device("meta"):
        model = net()
    checkpoint = torch.load(path, map_location=device, weights_only=True)
    log.info("checkpoint of epoch %d", checkpoint["epoch"])
    model.load_state_dict(checkpoint, assign=True)
    return model.eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--path", default="denoise.ckpt")
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    training_run(args.path)
    model = start(args.path, args.device)
    wave = torch.sin(torch.linspace(0, 9, 64)).reshape(1, 1, -1)
    with torch.no_grad():
        log.info("residual %.4f", (model(wave) - wave).abs().mean())


if __name__ == "__main__":
    main()
