"""Evaluate an accelerate-loaded regressor in one process."""

import logging

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from metrics import Mean
from torch import nn

log = logging.getLogger("evaluate")


def load(path):
    with init_empty_weights():
        model = nn.Linear(7, 1)
    return load_checkpoint_and_dispatch(model, path, device_map={"": "cpu"})


def main():
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    torch.save(nn.Linear(7, 1).state_dict(), "linear.bin")
    model = load("linear.bin")
    log.info("loaded, weights on %s", model.weight.device)
    error = Mean()
    for _ in range(3):
        x = torch.randn(10, 7)
        error.update((model(x).squeeze(-1) - x.sum(1)).square().detach())
    log.info("mse %.4f", error.compute())


main()
