"""A small evaluation harness: tasks, a model wrapper, results gathered over processes."""

import logging

import torch
from accelerate import Accelerator
from transformers import AutoModelForCausalLM

log = logging.getLogger("harness")


class HFModel:
    def __init__(self, pretrained, parallelize=True, limit=30_000):
        self.accelerator = Accelerator(cpu=True)
        options = {}
        if parallelize:
            options = {"device_map": "auto", "max_memory": {"cpu": limit}, "offload_folder": "offload"}
        model = AutoModelForCausalLM.from_pretrained(pretrained, **options)
        if self.accelerator.num_processes > 1:
            model = self.accelerator.prepare_model(model, evaluation_mode=True)
        self.model = model.eval()

    @torch.no_grad()
    def loglikelihood(self, requests):
        with self.accelerator.split_between_processes(requests) as mine:
            values = [-self.model(input_ids=r[None], labels=r[None]).loss.item() for r in mine]
        return self.accelerator.gather(torch.tensor(values)).tolist()
