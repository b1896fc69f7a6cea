"""Fine-tune the head of a checkpointed network."""

import argparse
import logging

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

log = logging.getLogger("head")


class Net(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embed = nn.Embedding(30, dim)
        self.blocks = nn.ModuleList(nn.Linear(dim, dim) for _ in range(3))
        self.head = nn.Linear(dim, 2)

    def tail(self, x):
        for b in self.blocks:
            x = torch.relu(b(x))
        return self.head(x.mean(1))

    def forward(self, ids):
        return checkpoint(self.tail, self.embed(ids), use_reentrant=True)


def freeze(net, names):
    for n, p in net.named_parameters():
        if n.split(".")[0] in names:
            p.requires_grad_(False)
    trainable = [n for n, p in net.named_parameters() if p.requires_grad]
    log.info("%d trainable tensors", len(trainable))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--freeze", nargs="+", default=["embed"])
    ap.add_argument("--steps", type=int, default=2)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    torch.manual_seed(0)
    net = Net()
    freeze(net, args.freeze)
    opt = torch.optim.SGD((p for p in net.parameters() if p.requires_grad), lr=0.1)
    for step in range(args.steps):
        loss = nn.functional.cross_entropy(net(torch.arange(12).reshape(2, 6)), torch.tensor([0, 1]))
        loss.backward()
        opt.step()
        log.info("step %d loss %.4f", step, loss.item())


if __name__ == "__main__":
    main()
