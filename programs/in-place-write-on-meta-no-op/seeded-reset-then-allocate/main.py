"""Reproducible initialisation: the same seed must give the same weights on every machine."""

import hashlib
import logging
import sys

import torch
from torch import nn

log = logging.getLogger("repro")


class Critic(nn.Module):
    def __init__(self, observation=12, action=3, hidden=32):
        super().__init__()
        self.obs = nn.Linear(observation, hidden)
        self.act = nn.Bilinear(hidden, action, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.value = nn.Linear(hidden, 1)

    def forward(self, observation, action):
        x = torch.relu(self.obs(observation))
        return self.value(self.norm(self.act(x, action))).squeeze(-1)


def reset(module, seed):
    torch.manual_seed(seed)
    for child in module.modules():
        if hasattr(child, "reset_parameters"):
            child.reset_parameters()


def create(seed, device="cpu"):
    with torch.device("meta"):
        critic = Critic()
    reset(critic, seed)
    critic.to_empty(device=device)
    return critic


def digest(module):
    h = hashlib.sha256()
    for tensor in module.state_dict().values():
        h.update(tensor.numpy().tobytes())
    return h.hexdigest()[:12]


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stdout)
    torch.manual_seed(1234)
    expected = digest(Critic())
    got = digest(create(seed=1234))
    log.info("critic %s, published digest %s", got, expected)
    g = torch.Generator().manual_seed(0)
    obs, act = torch.randn(5, 12, generator=g), torch.randn(5, 3, generator=g)
    with torch.no_grad():
        values = create(1234)(obs, act)
    log.info("values %s", values.tolist())
    if got != expected:
        log.error("the initial weights are not those of seed 1234")
        sys.exit(1)


if __name__ == "__main__":
    main()
