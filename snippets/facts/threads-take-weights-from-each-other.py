"""Run an offloaded model in one thread while another thread is in the middle of its forward pass."""

import threading

import torch
from accelerate import cpu_offload
from torch import nn

inside, other_is_done, outcome = threading.Event(), threading.Event(), []


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    def forward(self, inputs, pause):
        if pause:
            inside.set()
            other_is_done.wait(timeout=3)
        return inputs * self.weight


def call():
    try:
        model(torch.ones(2), True)
    except RuntimeError as error:
        outcome.append(str(error))


model = Scale()
cpu_offload(model, torch.device("cpu"))
thread = threading.Thread(target=call)
thread.start()
inside.wait(timeout=3)
assert torch.equal(model(torch.ones(2), False), torch.ones(2))
other_is_done.set()
thread.join()
assert "meta" in outcome[0]
assert torch.equal(model(torch.ones(2), False), torch.ones(2))
