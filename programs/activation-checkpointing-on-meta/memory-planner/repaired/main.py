"""plan.py: how many bytes of activations does a step need?"""

import argparse

import torch
from tower import Tower


class Counter:
    def __init__(self):
        self.bytes = 0

    def __call__(self, module, inputs, output):
        self.bytes += output.numel() * output.element_size()


def plan(width, depth, batch):
    with torch.device("meta"):
        tower = Tower(width, depth, save_memory=False)
        batch = torch.empty(batch, width)
    counter = Counter()
    for layer in tower.modules():
        if isinstance(layer, torch.nn.Linear):
            layer.register_forward_hook(counter)
    tower(batch)
    return counter.bytes


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--batch", type=int, default=16)
    needed = plan(**vars(parser.parse_args()))
    print(f"{needed / 1024:.0f} KiB of activations")
    assert needed == 16 * 64 * 4 * 4
