"""Train a tiny flow-matching model on two moons."""

import logging
import math

import torch
import torch.nn as nn

log = logging.getLogger("flow")


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
        self.proj = nn.Linear(dim, dim)

    def forward(self, t):
        k = torch.arange(self.dim // 2, device=t.device)
        angle = t[:, None] * torch.exp(-math.log(100.0) * k / (self.dim // 2))
        return self.proj(torch.cat([angle.sin(), angle.cos()], -1))


class Denoiser(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.inp, self.time, self.out = nn.Linear(2, dim), TimeEmbedding(dim), nn.Linear(dim, 2)

    def init_weights(self):
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.xavier_uniform_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, x, t):
        return self.out(torch.nn.functional.silu(self.inp(x) + self.time(t)))


def create_model(device):
    with torch.device("meta"):
        model = Denoiser()
    model.to_empty(device=device)
    model.init_weights()
    log.info("initialised %d parameters", sum(p.numel() for p in model.parameters()))
    return model.to(device)


def moons(n):
    a = torch.rand(n) * math.pi
    upper = torch.stack([a.cos(), a.sin()], 1)
    return torch.where(torch.rand(n, 1) < 0.5, upper, torch.tensor([1.0, 0.5]) - upper)


def main(device="cpu", steps=60):
    logging.basicConfig(level=logging.INFO, format="%(relativeCreated)6d %(name)s %(message)s")
    torch.manual_seed(0)
    model = create_model(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    losses = []
    for step in range(steps):
        x1, x0, t = moons(64), torch.randn(64, 2), torch.rand(64)
        xt = (1 - t[:, None]) * x0 + t[:, None] * x1
        loss = (model(xt, t) - (x1 - x0)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step % 20 == 0:
            log.info("step %d loss %.3f", step, losses[-1])
    assert sum(losses[-10:]) < sum(losses[:10])


if __name__ == "__main__":
    main()
