"""Load a checkpoint into a model whose _init_weights() was written for transformers 4."""

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class TinyConfig(PretrainedConfig):
    model_type = "tiny-mixer"


class Mixer(nn.Linear):
    def __init__(self):
        super().__init__(8, 8, bias=False)
        self.register_buffer("mask", torch.ones(8), persistent=False)


class Base(PreTrainedModel):
    config_class = TinyConfig

    def __init__(self, config):
        super().__init__(config)
        self.mixer = Mixer()
        self.post_init()


# code
class Model(Base):
    def _init_weights(self, module):
        if isinstance(module, Mixer):
            nn.init.normal_(module.weight, std=0.02)
            module.mask.data.fill_(1.0)


trained = Model(TinyConfig())
trained.save_pretrained("checkpoint")
model = Model.from_pretrained("checkpoint")

# goal
assert torch.equal(model.mixer.weight * model.mixer.mask, trained.mixer.weight)
