"""One step after a memory-saving load."""

import argparse

import torch
from torch import nn


def network():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))


def load(path):
    with torch.device("meta"):
        model = network()
    state = torch.load(path, mmap=True, weights_only=True)
    print(model.load_state_dict(state, assign=True))
    return model


def step(model, x, y, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lr", type=float, default=0.1)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.save(network().state_dict(), "net.pt")
    model = load("net.pt")
    x = torch.randn(6, 8)
    labels = torch.randint(0, 3, (5,))
    print("loss", step(model, x, labels, args.lr))


if __name__ == "__main__":
    main()
