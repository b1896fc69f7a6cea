"""Build two empty models in two threads, then an ordinary layer."""

import threading

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"

# code
first_inside, second_inside, first_left = (threading.Event() for _ in range(3))


def first():
    with torch.device("meta"):
        nn.Linear(8, 8)
        first_inside.set()
        second_inside.wait(timeout=3)
    first_left.set()


def second():
    first_inside.wait(timeout=3)
    with torch.device("meta"):
        second_inside.set()
        nn.Linear(8, 8)
        first_left.wait(timeout=3)


threads = [threading.Thread(target=first), threading.Thread(target=second)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
layer = nn.Linear(8, 8)
layer.to(device)

# goal
assert layer.weight.std() > 0
