"""A trainer for research runs; FSDP wraps later, in fit()."""

import logging

import torch
import torch.distributed as dist

log = logging.getLogger("trainer")


class Trainer:
    def __init__(self, model, device="cpu"):
        self.rank = dist.get_rank()
        self.device = torch.device(device)
        self.model = self.place(model)

    def place(self, model):
        try:
            return model.to(self.device)
        except NotImplementedError:
            log.exception("rank %d: model could not be placed on %s", self.rank, self.device)
            raise

    def baseline(self, ids, tags):
        with torch.no_grad():
            loss = self.model.eval()(input_ids=ids, labels=tags).loss
        values = [torch.zeros(()) for _ in range(dist.get_world_size())]
        dist.all_gather(values, loss)
        return [v.item() for v in values]
