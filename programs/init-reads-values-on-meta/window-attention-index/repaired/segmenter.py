"""Window attention with relative positions, from a model page."""

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class SegmenterConfig(PretrainedConfig):
    model_type = "window_segmenter"

    def __init__(self, width=12, window=3, classes=2, device="cpu", **kwargs):
        self.width, self.window, self.classes, self.device_name = width, window, classes, device
        super().__init__(**kwargs)


class Segmenter(PreTrainedModel):
    config_class = SegmenterConfig
    main_input_name = "tokens"

    def __init__(self, config):
        super().__init__(config)
        w = config.window
        axis = torch.arange(w, device="cpu")
        coords = torch.stack(torch.meshgrid(axis, axis, indexing="ij")).flatten(1)
        relative = coords[:, :, None] - coords[:, None, :] + (w - 1)
        self.index = (relative[0] * (2 * w - 1) + relative[1]).to(config.device_name)
        self.bias = nn.Embedding((2 * w - 1) ** 2, 1)
        self.qkv = nn.Linear(config.width, 3 * config.width)
        self.out = nn.Linear(config.width, config.classes)
        self.post_init()

    def forward(self, tokens):
        q, k, v = self.qkv(tokens).chunk(3, -1)
        scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5 + self.bias(self.index).squeeze(-1)
        return self.out(scores.softmax(-1) @ v)
