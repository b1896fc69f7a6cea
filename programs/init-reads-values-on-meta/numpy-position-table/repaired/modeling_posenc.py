"""From the model page; needs NumPy for the two-dimensional sine table."""

import numpy as np
import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class PosEncConfig(PretrainedConfig):
    model_type = "posenc_tower"

    def __init__(self, dim=16, grid=4, labels=5, **kwargs):
        self.dim, self.grid, self.labels = dim, grid, labels
        super().__init__(**kwargs)


def sincos(positions, dim):
    omega = 1.0 / 100 ** (np.arange(dim // 2) / (dim / 2))
    angles = np.outer(positions.numpy().reshape(-1), omega)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


class PosEncTower(PreTrainedModel):
    config_class = PosEncConfig
    main_input_name = "patches"

    def __init__(self, config):
        super().__init__(config)
        with torch.device("cpu"):
            axis = torch.arange(config.grid)
            rows, columns = torch.meshgrid(axis, axis, indexing="ij")
        table = np.concatenate([sincos(rows, config.dim // 2), sincos(columns, config.dim // 2)], axis=1)
        self.pos = nn.Parameter(torch.tensor(table, dtype=torch.float32), requires_grad=False)
        self.embed, self.head = nn.Linear(12, config.dim), nn.Linear(config.dim, config.labels)
        self.post_init()

    def forward(self, patches):
        return self.head(torch.tanh(self.embed(patches) + self.pos).mean(1))
