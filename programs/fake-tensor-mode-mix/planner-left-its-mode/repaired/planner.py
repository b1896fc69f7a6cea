"""Plans where activations are kept. Each plan is worked out on fake tensors."""

import contextlib

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

MODE = FakeTensorMode()


class Planner:
    def __init__(self, factory):
        self.mode = MODE
        with self.mode:
            self.block = factory()

    @contextlib.contextmanager
    def session(self):
        with self.mode:
            yield

    def activation(self, x=None, shape=None):
        with self.session():
            if x is None:
                x = torch.empty(shape)
            return self.block(x)
