"""Train on one side, evaluate an offloaded copy after every epoch on the other."""

import copy
import logging
import pathlib
import sys

import torch
from accelerate import dispatch_model
from torch import nn

logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(message)s")
log = logging.getLogger("epochs")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32), nn.ReLU())
        self.head = nn.Linear(32, 3)

    def forward(self, x):
        return self.head(self.body(x))


class Evaluator:
    def __init__(self, work, x, y):
        self.work = pathlib.Path(work)
        self.x, self.y = x, y
        self.history = []

    def __call__(self, epoch, net):
        offloaded = dispatch_model(
            copy.deepcopy(net).eval(),
            {"body": "cpu", "head": "disk"},
            main_device="cpu",
            offload_dir=str(self.work / f"epoch-{epoch}"),
        )
        with torch.no_grad():
            loss = nn.functional.cross_entropy(offloaded(self.x), self.y).item()
            direct = nn.functional.cross_entropy(net(self.x), self.y).item()
        self.history.append(loss)
        log.info("epoch %d: eval loss %.4f, train loss %.4f", epoch, loss, direct)
        if abs(loss - direct) > 1e-4:
            raise RuntimeError(f"evaluation drifted from training in epoch {epoch}")


def main():
    torch.manual_seed(0)
    x = torch.randn(48, 8)
    y = x[:, :3].argmax(1)
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    evaluate = Evaluator("eval-offload", x, y)
    for epoch in range(3):
        for _ in range(5):
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
        evaluate(epoch, net)
    assert evaluate.history[-1] < evaluate.history[0]


if __name__ == "__main__":
    main()
