"""Train only the adapter layers of a model whose base is dispatched."""

import logging

import torch
from accelerate import cpu_offload
from torch import nn

log = logging.getLogger("adapters")


class Adapted(nn.Module):
    def __init__(self, base, width):
        super().__init__()
        self.base = base
        self.adapter = nn.Sequential(nn.Linear(width, 4), nn.ReLU(), nn.Linear(4, width))

    def forward(self, x):
        x = self.base(x)
        return x + self.adapter(x)


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(0)
    base = nn.Sequential(nn.Linear(10, 10), nn.GELU(), nn.Linear(10, 10))
    cpu_offload(base, execution_device=torch.device("cpu"))
    model = Adapted(base, 10)
    for name, parameter in model.named_parameters():
        parameter.requires_grad = "lora_" in name
    log.info("trainable: %d", sum(p.requires_grad for p in model.parameters()))
    x, y = torch.randn(6, 10), torch.randn(6, 10)
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    log.info("loss %.3f", loss.item())


main()
