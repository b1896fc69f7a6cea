"""Model soups: average the weights of several checkpoints of one architecture."""

import torch


@torch.no_grad()
def average(models):
    first, *rest = models
    for name, p in first.named_parameters():
        others = [dict(m.named_parameters())[name] for m in rest]
        p.copy_(torch.stack([p, *others]).mean(0))
    return first


def fingerprint(model):
    return torch.stack([p.double().abs().sum() for p in model.parameters()]).sum()
