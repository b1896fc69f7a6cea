"""Prompts for the evaluation."""

import torch


def samples(count):
    source = torch.Generator().manual_seed(9)
    for _ in range(count):
        yield torch.randint(3, 50, (1, 5), generator=source)
