"""Two-stage pipeline: the planner splits a model, workers adopt their stage."""

import logging

import torch
from torch import nn

log = logging.getLogger("stages")


def stage(n, device=None):
    sizes = [(6, 12), (12, 3)][n]
    return nn.Sequential(nn.Linear(*sizes, device=device), nn.Tanh())


class Planner:
    def __init__(self, checkpoint):
        self.checkpoint = checkpoint
        self.stages = [stage(n, device="meta") for n in range(2)]

    def memory(self):
        return [sum(p.numel() * 4 for p in s.parameters()) for s in self.stages]

    def fill(self):
        state = torch.load(self.checkpoint, weights_only=True)
        for n, s in enumerate(self.stages):
            s.load_state_dict(state[n], assign=True)

    def handover(self, n):
        return self.stages[n].state_dict()


class Worker:
    def __init__(self, n):
        self.n = n
        self.net = stage(n).eval()

    def adopt(self, state):
        result = self.net.load_state_dict(state, assign=True)
        log.info("worker %d: %s, weights on %s", self.n, result, self.net[0].weight.device)

    @torch.no_grad()
    def forward(self, x):
        return self.net(x)


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    torch.manual_seed(61)
    trained = [stage(n) for n in range(2)]
    torch.save([s.state_dict() for s in trained], "stages.pt")
    planner = Planner("stages.pt")
    log.info("bytes per stage: %s", planner.memory())
    planner.fill()
    workers = [Worker(n) for n in range(2)]
    for w in workers:
        w.adopt(planner.handover(w.n))
    x = torch.ones(2, 6)
    for w in workers:
        x = w.forward(x)
    want = trained[1](trained[0](torch.ones(2, 6)))
    log.info("pipeline output %s", x.tolist())
    assert torch.allclose(x, want, atol=1e-6)


if __name__ == "__main__":
    main()
