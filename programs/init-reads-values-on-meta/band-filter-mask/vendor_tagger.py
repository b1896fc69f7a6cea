"""Vendored: do not edit, updated by the vendor's script."""

import torch
from torch import nn
from transformers import AutoConfig, AutoModel, PretrainedConfig, PreTrainedModel


class TaggerConfig(PretrainedConfig):
    model_type = "band_tagger"

    def __init__(self, bands=24, low=2.0, high=9.0, tags=4, **kwargs):
        self.bands, self.low, self.high, self.tags = bands, low, high, tags
        super().__init__(**kwargs)


class BandTagger(PreTrainedModel):
    config_class = TaggerConfig
    main_input_name = "spectrum"

    def __init__(self, config):
        super().__init__(config)
        centres = torch.arange(config.bands) / 2
        self.keep = torch.nonzero((centres >= config.low) & (centres <= config.high)).flatten()
        self.net = nn.Sequential(nn.Linear(len(self.keep), 16), nn.ReLU(), nn.Linear(16, config.tags))
        self.post_init()

    def forward(self, spectrum):
        return self.net(spectrum[:, self.keep])


AutoConfig.register("band_tagger", TaggerConfig)
AutoModel.register(TaggerConfig, BandTagger)
