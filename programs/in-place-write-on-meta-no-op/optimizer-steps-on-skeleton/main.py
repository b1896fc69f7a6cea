"""One federated round with three simulated clients."""

import argparse
import random
import sys

import torch
from server import Server
from torch import nn


def factory():
    return nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))


class Client:
    def __init__(self, number, samples):
        g = torch.Generator().manual_seed(number)
        self.x = torch.randn(samples, 5, generator=g)
        self.y = self.x.sum(1, keepdim=True)
        self.model = factory()

    def receive(self, state):
        self.model.load_state_dict(state)

    def train(self, steps=20):
        optimizer = torch.optim.Adam(self.model.parameters(), lr=0.02)
        for _ in range(steps):
            optimizer.zero_grad()
            loss = (self.model(self.x) - self.y).square().mean()
            loss.backward()
            optimizer.step()
        return len(self.x), {k: v.clone() for k, v in self.model.state_dict().items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    random.seed(0)
    torch.manual_seed(0)
    server = Server(factory)
    clients = [Client(i, random.randint(20, 60)) for i in range(3)]
    for r in range(args.rounds):
        updates = [client.train() for client in clients]
        server.aggregate(updates)
        state = server.broadcast()
        lost = [name for name, tensor in state.items() if tensor.is_meta]
        if lost:
            print(f"round {r}: the global model has no values for {', '.join(lost)}", file=sys.stderr)
            return 1
        for client in clients:
            client.receive(state)
        print(f"round {r}: {sum((c.model(c.x) - c.y).square().mean().item() for c in clients) / 3:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
