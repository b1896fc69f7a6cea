"""Run a bfloat16 head on stored features."""

import logging
import sys

import torch
from accelerate import dispatch_model
from torch import nn

log = logging.getLogger("head")


class Head(nn.Module):
    def __init__(self, width=24, classes=3):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, classes)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


def load(dtype):
    torch.manual_seed(0)
    head = Head().to(dtype).eval()
    return dispatch_model(head, {"first": "cpu", "second": "disk"}, main_device="cpu", offload_dir="off")


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    head = load(torch.bfloat16)
    features = torch.randn(5, 24)
    log.info("features %s, weights %s", features.dtype, head.first.weight.dtype)
    with torch.no_grad():
        print(head(features).softmax(-1))


main()
