import copy

import torch


class Ema:
    """Exponential moving average of a model, kept on a device of its own."""

    def __init__(self, model, decay=0.9, device="cpu"):
        self.decay = decay
        self.shadow = copy.deepcopy(model).to(device).requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for mine, new in zip(self.shadow.parameters(), model.parameters()):
            mine.lerp_(new, 1 - self.decay)
