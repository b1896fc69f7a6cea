import logging

import torch

log = logging.getLogger("loop")


class Fit:
    def __init__(self, module, max_steps, accelerator="cpu"):
        self.module = module
        self.max_steps = max_steps
        self.device = torch.device(accelerator)

    def _setup(self, ckpt):
        self.module.configure_model()
        state = torch.load(ckpt, weights_only=True)
        result = self.module.load_state_dict(state["state_dict"])
        log.info("restored global step %d (%s)", state["global_step"], result)
        self.module.model.to(self.device)
        self.module.model.train()

    def run(self, ckpt):
        self._setup(ckpt)
        opt = self.module.configure_optimizers()
        ids = torch.arange(20).reshape(2, 10).to(self.device)
        losses = []
        for _ in range(self.max_steps):
            loss = self.module.training_step(ids)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        return losses
