"""plan_backbone.py - size a hierarchical vision backbone without allocating it."""

import logging
from dataclasses import dataclass, field

import torch
import torch.nn as nn

logging.basicConfig(format="%(asctime)s | %(levelname)-7s | %(message)s", level=logging.INFO)
logger = logging.getLogger(__name__)


@dataclass
class BackboneConfig:
    dims: list[int] = field(default_factory=lambda: [16, 32, 64])
    depths: list[int] = field(default_factory=lambda: [1, 2, 1])
    drop_path_rate: float = 0.3
    num_classes: int = 10


class DropPath(nn.Module):
    def __init__(self, prob: float):
        super().__init__()
        self.prob = prob

    def forward(self, x):
        if not self.training or self.prob == 0.0:
            return x
        keep = torch.rand(x.shape[0], 1, 1, 1, device=x.device) >= self.prob
        return x * keep / (1 - self.prob)


class Block(nn.Module):
    def __init__(self, dim, drop):
        super().__init__()
        self.dw = nn.Conv2d(dim, dim, 7, padding=3, groups=dim)
        self.pw = nn.Conv2d(dim, dim, 1)
        self.drop = DropPath(drop)

    def forward(self, x):
        return x + self.drop(self.pw(torch.relu(self.dw(x))))


class ConvBackbone(nn.Module):
    def __init__(self, cfg: BackboneConfig):
        super().__init__()
        rates = torch.linspace(0, cfg.drop_path_rate, sum(cfg.depths))
        rates = [round(r.item(), 4) for r in rates]
        layers, previous, k = [], 3, 0
        for dim, depth in zip(cfg.dims, cfg.depths):
            layers.append(nn.Conv2d(previous, dim, 2, stride=2))
            for _ in range(depth):
                layers.append(Block(dim, rates[k]))
                k += 1
            previous = dim
        self.stages = nn.Sequential(*layers)
        self.head = nn.Linear(previous, cfg.num_classes)

    def forward(self, x):
        return self.head(self.stages(x).mean((2, 3)))


def plan(cfg):
    with torch.device("meta"):
        model = ConvBackbone(cfg)
    params = sum(p.numel() for p in model.parameters())
    drops = [m.prob for m in model.modules() if isinstance(m, DropPath)]
    return params, drops


if __name__ == "__main__":
    cfg = BackboneConfig()
    logger.info("planning %s", cfg)
    params, drops = plan(cfg)
    logger.info("%.1f k parameters, drop path %s", params / 1e3, drops)
    assert drops == [0.0, 0.1, 0.2, 0.3]
