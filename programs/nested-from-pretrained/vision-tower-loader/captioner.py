from pathlib import Path

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class CaptionerConfig(PretrainedConfig):
    model_type = "mini_captioner"

    def __init__(self, tower_file=None, width=16, words=20, **kw):
        self.tower_file, self.width, self.words = tower_file, width, words
        super().__init__(**kw)


class VisionTower(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.patch = nn.Conv2d(3, width, 4, 4)
        self.proj = nn.Linear(width, width)

    def forward(self, pixels):
        return self.proj(self.patch(pixels).flatten(2).mean(-1))


class Captioner(PreTrainedModel):
    config_class = CaptionerConfig

    def __init__(self, config):
        super().__init__(config)
        self.vision = VisionTower(config.width)
        if config.tower_file and Path(config.tower_file).exists():
            state = torch.load(config.tower_file, map_location="cpu", weights_only=True)
            self.vision.load_state_dict(state)
            self.vision.to("cpu")
        self.words = nn.Linear(config.width, config.words)
        self.post_init()

    def forward(self, pixels):
        return self.words(torch.tanh(self.vision(pixels)))


def export_release(folder):
    torch.manual_seed(31)
    torch.save(VisionTower(16).state_dict(), "tower.pt")
    model = Captioner(CaptionerConfig(tower_file="tower.pt")).eval()
    model.save_pretrained(folder)
    return model
