"""A helper library (third party, pinned): noise schedules for diffusion policies."""

import torch


def cosine_betas(steps, limit=0.999):
    t = torch.arange(steps + 1) / steps
    alpha = torch.cos((t + 0.008) / 1.008 * torch.pi / 2) ** 2
    betas = (1 - alpha[1:] / alpha[:-1]).clamp(max=limit)
    if (betas <= 0).any():
        raise ValueError("betas must be positive")
    return betas
