"""Validate a training configuration without using memory: one forward pass on the meta device."""

import logging
import sys

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s", stream=sys.stderr)
log = logging.getLogger("dry-run")

CONFIG = {"mels": 20, "width": 32, "labels": 29, "batch": 4, "frames": 60, "target": 12}


class Acoustic(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.conv = nn.Conv1d(cfg["mels"], cfg["width"], 5, stride=2, padding=2)
        self.out = nn.Linear(cfg["width"], cfg["labels"])

    def forward(self, mel):
        x = torch.relu(self.conv(mel)).permute(2, 0, 1)
        return self.out(x).log_softmax(-1)


def ctc(logp, targets, in_len, out_len):
    return nn.functional.ctc_loss(logp, targets, in_len, out_len, reduction="sum")


def step(cfg, device):
    model = Acoustic(cfg).to(device)
    mel = torch.empty(cfg["batch"], cfg["mels"], cfg["frames"], device=device).normal_()
    targets = torch.ones(cfg["batch"], cfg["target"], dtype=torch.long, device=device)
    logp = model(mel)
    in_len = torch.full((cfg["batch"],), logp.shape[0], device=device)
    out_len = torch.full((cfg["batch"],), cfg["target"], device=device)
    loss = ctc(logp, targets, in_len, out_len)
    return logp.shape, loss


def main():
    for name, device in (("dry run", "meta"), ("first real step", "cpu")):
        torch.manual_seed(0)
        shape, loss = step(CONFIG, device)
        log.info("%s: log-probs %s, loss of shape %s", name, tuple(shape), tuple(loss.shape))
        assert shape == (30, 4, 29)
    assert loss.isfinite()


if __name__ == "__main__":
    main()
