import logging

log = logging.getLogger("trainer")


class Trainer:
    def __init__(self, max_steps):
        self.max_steps = max_steps

    def fit(self, module, batch):
        module.configure_model()
        optimizer = module.configure_optimizers()
        log.info("optimizer: %s", type(optimizer).__name__)
        module.on_load_checkpoint()
        losses = []
        for _ in range(self.max_steps):
            optimizer.zero_grad()
            loss = module.training_step(batch)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses
