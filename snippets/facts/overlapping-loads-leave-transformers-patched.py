"""Let two from_pretrained() calls overlap: the second enters after the first and leaves after it."""

import threading

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel

first_inside, second_inside, first_done = threading.Event(), threading.Event(), threading.Event()
meetings = {}


class Model(PreTrainedModel):
    config_class = PretrainedConfig

    def __init__(self, config):
        super().__init__(config)
        self.layer = nn.Linear(4, 4)
        for signal, awaited in meetings.get(threading.current_thread(), ()):
            signal.set()
            assert awaited.wait(60)
        self.post_init()


def load_first():
    Model.from_pretrained("checkpoint", dtype=torch.bfloat16)
    first_done.set()


Model(PretrainedConfig()).save_pretrained("checkpoint")
first = threading.Thread(target=load_first)
meetings[first] = [(first_inside, second_inside)]
meetings[threading.main_thread()] = [(second_inside, first_done)]
first.start()
assert first_inside.wait(60)
Model.from_pretrained("checkpoint", dtype=torch.float32)

assert PreTrainedModel.tie_weights.__name__ == "empty_func"
assert torch.get_default_dtype() == torch.bfloat16
