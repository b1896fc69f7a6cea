"""Plan shards of two models at once, then start the drift probe of the cluster."""

import logging
import sys
import threading
import time

import torch
from accelerate import init_empty_weights
from torch import nn

logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(threadName)-10s %(message)s")
log = logging.getLogger("planner")
BUILDING = threading.Lock()


class Planner(threading.Thread):
    """Plans shards of one model; the catalogue is asked for its layer sizes."""

    def __init__(self, name, sizes, delay, hold):
        super().__init__(name=name)
        self.sizes, self.delay, self.hold = sizes, delay, hold
        self.plan = None

    def catalogue(self):
        time.sleep(self.hold)
        return self.sizes

    def run(self):
        time.sleep(self.delay)
        with BUILDING, init_empty_weights():
            layers = [nn.Linear(a, b) for a, b in self.catalogue()]
        self.plan = {n: tuple(m.weight.shape) for n, m in enumerate(layers)}
        log.info("%d shards", len(self.plan))


class Probe(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.scale = nn.Linear(channels, 1)

    def read(self, values):
        with torch.no_grad():
            return self.scale(values)


def main():
    planners = [
        Planner("plan-a", [(8, 8), (8, 4)], delay=0.0, hold=0.6),
        Planner("plan-b", [(16, 16)], delay=0.3, hold=1.2),
    ]
    for p in planners:
        p.start()
    for p in planners:
        p.join()
    probe = Probe(3)
    device = probe.scale.weight.device
    log.info("probe on %s, layer on %s", device, nn.Linear(1, 1).weight.device)
    if device.type != "cpu":
        log.error("probe has no memory (%s), cluster not watched", device)
        return 1
    assert probe.read(torch.ones(2, 3)).isfinite().all()
    return 0


if __name__ == "__main__":
    sys.exit(main())
