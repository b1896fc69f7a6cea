"""Remote code of the model page (last touched two years ago)."""

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class ClipEncoderConfig(PretrainedConfig):
    model_type = "clip_encoder"

    def __init__(self, width=16, depth=3, drop_path=0.2, frames=4, **kwargs):
        self.width, self.depth, self.drop_path, self.frames = width, depth, drop_path, frames
        super().__init__(**kwargs)


class Layer(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.norm, self.fc = nn.LayerNorm(width), nn.Linear(width, width)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        return x + self.drop(self.fc(self.norm(x)))


class ClipEncoder(PreTrainedModel):
    config_class = ClipEncoderConfig
    main_input_name = "clip"

    def __init__(self, config):
        super().__init__(config)
        steps = torch.arange(config.depth, device="cpu") / max(config.depth - 1, 1)
        rates = [config.drop_path * x for x in steps]
        self.patch = nn.Linear(12, config.width)
        self.layers = nn.ModuleList(Layer(config.width, rate.item()) for rate in rates)
        self.post_init()

    def forward(self, clip):
        x = self.patch(clip)
        for layer in self.layers:
            x = layer(x)
        return x.mean(1)
