"""Fine-tune a sentence encoder with a learned temperature (SimCSE style)."""

import logging
import math

import torch
import torch.nn.functional as F
from encoder import SimConfig, SimEncoder, write_base

log = logging.getLogger("simcse")


def batch(step, size=6):
    g = torch.Generator().manual_seed(step)
    return torch.randint(5, 80, (size, 9), generator=g)


def check_start(model):
    t = model.temperature.item()
    log.info("temperature at start: %s", t)
    if not math.isclose(t, 0.05, rel_tol=1e-4):
        raise ValueError(f"temperature is {t!r}, the configuration says 0.05")


def train(model, steps=3):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model.train()
    for step in range(steps):
        ids = batch(step)
        a, b = model(ids), model(ids)
        sim = F.cosine_similarity(a[:, None], b[None], dim=-1) / model.temperature
        loss = F.cross_entropy(sim, torch.arange(len(ids)))
        if not torch.isfinite(loss):
            raise FloatingPointError(f"loss is {loss.item()} at step {step}")
        loss.backward()
        opt.step()
        opt.zero_grad()
        log.info("step %d loss %.4f", step, loss.item())


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s %(levelname)s %(message)s")
    folder = write_base("bert-base-tiny")
    model = SimEncoder.from_pretrained(folder, config=SimConfig.from_pretrained(folder))
    check_start(model)
    train(model)


if __name__ == "__main__":
    main()
