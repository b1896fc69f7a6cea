"""One learner, several rollout workers that share its tensors."""

import logging
import threading

import torch
from torch import nn

log = logging.getLogger("rollout")


def policy(device=None):
    return nn.Sequential(
        nn.Linear(6, 16, device=device), nn.Tanh(), nn.Linear(16, 3, device=device), nn.LogSoftmax(-1)
    )


class Worker(threading.Thread):
    def __init__(self, index, learner):
        super().__init__(name=f"worker-{index}")
        self.index = index
        self.net = policy()
        self.net.load_state_dict(learner.state_dict(), assign=True)
        self.actions = None

    def ready(self):
        return all(p.device.type == "cpu" for p in self.net.parameters())

    @torch.no_grad()
    def run(self):
        obs = torch.randn(8, 6, generator=torch.Generator().manual_seed(self.index))
        self.actions = self.net(obs).argmax(-1)
        log.info("%s acted on %d observations", self.name, len(obs))


class Learner:
    def __init__(self, path):
        self.path = path
        self.net = policy(device="meta")

    def restore(self):
        self.net.load_state_dict(torch.load(self.path, weights_only=True), assign=True)
        log.info("learner restored from %s", self.path)

    def state_dict(self):
        return self.net.state_dict()


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(1)
    trained = policy()
    torch.save(trained.state_dict(), "policy.pt")
    learner = Learner("policy.pt")
    workers = [Worker(n, learner) for n in range(2)]
    learner.restore()
    idle = [w.name for w in workers if not w.ready()]
    if idle:
        raise SystemExit(f"{len(idle)} of {len(workers)} workers hold no weights: {idle}")
    for w in workers:
        w.start()
    for w in workers:
        w.join()
        obs = torch.randn(8, 6, generator=torch.Generator().manual_seed(w.index))
        assert torch.equal(w.actions, trained(obs).argmax(-1))


if __name__ == "__main__":
    main()
