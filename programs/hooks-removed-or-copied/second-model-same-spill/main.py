"""Compare two models on a machine with little memory; the better one stays in memory."""

import logging
from pathlib import Path

import torch
from accelerate import disk_offload
from accelerate.hooks import remove_hook_from_module
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("compare")
SPILL = Path("spill")


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 6, 5, padding=2)
        self.out = nn.Linear(6, 1)

    def forward(self, x):
        return self.out(self.conv(x[:, None]).relu().mean(-1))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Sequential(nn.Linear(16, 12), nn.Tanh())
        self.value = nn.Linear(12, 1)

    def forward(self, x):
        return self.value(self.mix(x))


def spill(model, name):
    disk_offload(model, SPILL, execution_device=torch.device("cpu"))
    log.info("%s is on disk", name)
    return model


def error(model, x, y):
    with torch.no_grad():
        return (model(x) - y).square().mean().item()


def main():
    torch.manual_seed(103)
    x = torch.randn(40, 16)
    y = x.mean(1, keepdim=True)
    first, second = Convolutional().eval(), Recurrent().eval()
    before = error(second, x, y)
    log.info("convolutional %.4f", error(spill(first, "convolutional"), x, y))
    spill(second, "recurrent")
    try:
        remove_hook_from_module(second, recurse=True)
    except ValueError:
        log.error("the recurrent model cannot be brought back")
        raise
    after = error(second, x, y)
    log.info("recurrent %.4f", after)
    assert abs(before - after) < 1e-6


if __name__ == "__main__":
    main()
