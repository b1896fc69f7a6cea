import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class TowerConfig(PretrainedConfig):
    model_type = "window_tower"

    def __init__(self, width=8, image=32, stages=3, **kw):
        self.width, self.image, self.stages = width, image, stages
        super().__init__(**kw)


class WindowTower(PreTrainedModel):
    config_class = TowerConfig
    main_input_name = "pixels"

    def __init__(self, config):
        super().__init__(config)
        strides = 2 ** torch.arange(1, config.stages + 1)
        self.windows = (config.image // strides).tolist()
        self.convs = nn.ModuleList(
            nn.Conv2d(3 if i == 0 else config.width, config.width, 2, 2) for i in range(config.stages)
        )
        self.post_init()

    def forward(self, pixels):
        for conv, window in zip(self.convs, self.windows):
            pixels = torch.relu(conv(pixels))
            assert pixels.shape[-1] == window
        return pixels.flatten(1)
