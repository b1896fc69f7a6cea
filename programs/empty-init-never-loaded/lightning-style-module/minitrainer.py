"""A few lines that behave like a Lightning trainer: move, configure, loop."""

import torch


class Trainer:
    def __init__(self, max_steps, device="cpu"):
        self.max_steps, self.device = max_steps, torch.device(device)

    def _setup(self, module):
        print(f"Trainer: using {self.device.type}, {sum(1 for _ in module.parameters())} parameters")
        return module.to(self.device)

    def fit(self, module, loader):
        module = self._setup(module)
        optimizer = module.configure_optimizers()
        self.losses = []
        for step, batch in zip(range(self.max_steps), loader):
            loss = module.training_step([b.to(self.device) for b in batch], step)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            self.losses.append(loss.item())
        return self.losses
