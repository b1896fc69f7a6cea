import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class TaggerConfig(PretrainedConfig):
    model_type = "mini_tagger"

    def __init__(self, width=32, depth=4, drop_path=0.2, tags=10, **kw):
        self.width, self.depth, self.drop_path, self.tags = width, depth, drop_path, tags
        super().__init__(**kw)


class Block(nn.Module):
    def __init__(self, width, keep):
        super().__init__()
        self.keep = keep
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return x + self.keep * torch.relu(self.fc(x))


class TaggerModel(PreTrainedModel):
    config_class = TaggerConfig

    def __init__(self, config):
        super().__init__(config)
        steps = [i / max(config.depth - 1, 1) for i in range(config.depth)]
        keep = [1 - config.drop_path * s for s in steps]
        self.stem = nn.Conv2d(3, config.width, 4, 4)
        self.blocks = nn.ModuleList(Block(config.width, k) for k in keep)
        self.head = nn.Linear(config.width, config.tags)
        self.post_init()

    def forward(self, pixels):
        x = self.stem(pixels).flatten(2).mean(-1)
        for b in self.blocks:
            x = b(x)
        return self.head(x)
