import torch
import torch.distributed as dist


class Mean:
    def __init__(self):
        self.total, self.count = torch.zeros(()), torch.zeros(())

    def update(self, values):
        self.total += values.sum()
        self.count += values.numel()

    def compute(self):
        for tensor in (self.total, self.count):
            dist.all_reduce(tensor)
        return (self.total / self.count).item()
