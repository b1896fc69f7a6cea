"""Peak-memory and FLOP estimators; both run the model on fake tensors."""

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils.flop_counter import FlopCounterMode


class Estimator:
    def __init__(self):
        self.mode = FakeTensorMode()

    def build(self, factory, *shapes):
        with self.mode:
            return factory(), [torch.randn(*shape) for shape in shapes]


class FlopEstimator(Estimator):
    def run(self, model, inputs):
        with self.mode, FlopCounterMode(display=False) as counter:
            model(*inputs)
        return counter.get_total_flops()


class MemoryEstimator(Estimator):
    def run(self, model, inputs):
        with self.mode:
            out = model(*inputs)
        return sum(t.numel() * t.element_size() for t in [*model.parameters(), *inputs, out])
