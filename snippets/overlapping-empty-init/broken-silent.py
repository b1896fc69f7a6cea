"""Build two empty models in two threads, then an ordinary layer."""

import threading

from accelerate import init_empty_weights
from torch import nn

# code
first_inside, second_inside, first_left = (threading.Event() for _ in range(3))


def first():
    with init_empty_weights():
        nn.Linear(8, 8)
        first_inside.set()
        second_inside.wait(timeout=3)
    first_left.set()


def second():
    first_inside.wait(timeout=3)
    with init_empty_weights():
        second_inside.set()
        nn.Linear(8, 8)
        first_left.wait(timeout=3)


threads = [threading.Thread(target=first), threading.Thread(target=second)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
layer = nn.Linear(8, 8)

# goal
assert layer.weight.device.type == "cpu"
