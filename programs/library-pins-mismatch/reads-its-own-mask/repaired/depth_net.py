import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class DepthConfig(PretrainedConfig):
    model_type = "mini_depth"

    def __init__(self, size=8, width=12, keep=0.5, **kw):
        self.size, self.width, self.keep = size, width, keep
        super().__init__(**kw)


def checkerboard(size, device=None):
    row = torch.arange(size, device=device)
    return ((row[:, None] + row[None]) % 2).bool()


class DepthNet(PreTrainedModel):
    config_class = DepthConfig

    def __init__(self, config):
        super().__init__(config)
        self.sites = checkerboard(config.size, device="cpu").sum().item()
        self.first = int(config.size % 2 == 0)
        self.stem = nn.Conv2d(3, config.width, 3, padding=1)
        self.score = nn.Linear(config.width, 1)
        self.spread = nn.Linear(self.sites, config.size**2)
        self.post_init()

    def forward(self, image):
        x = torch.relu(self.stem(image)).flatten(2).transpose(1, 2)
        scores = self.score(x)[:, self.first :: 2, 0][:, : self.sites]
        return self.spread(scores).unflatten(-1, (self.config.size, -1))
