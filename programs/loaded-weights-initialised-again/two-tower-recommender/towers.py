"""Two embedding towers and a gate over the items that are in stock."""

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class TowerConfig(PretrainedConfig):
    model_type = "two-towers"

    def __init__(self, users=1, items=1, width=1, **kwargs):
        super().__init__(**kwargs)
        self.users, self.items, self.width = users, items, width


class ItemTower(nn.Embedding):
    def __init__(self, items, width):
        super().__init__(items, width)
        self.register_buffer("stock", torch.ones(items), persistent=False)


class TwoTowers(PreTrainedModel):
    config_class = TowerConfig

    def __init__(self, config):
        super().__init__(config)
        self.user_tower = nn.Embedding(config.users, config.width)
        self.item_tower = ItemTower(config.items, config.width)
        self.post_init()

    def _init_weights(self, module):
        if isinstance(module, ItemTower):
            module.weight.data.normal_(mean=0.0, std=0.02)
            module.stock.data.fill_(1.0)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, user):
        return self.item_tower.weight @ self.user_tower(user) * self.item_tower.stock
