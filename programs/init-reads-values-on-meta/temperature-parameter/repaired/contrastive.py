import logging
import math

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel

log = logging.getLogger(__name__)


class PairConfig(PretrainedConfig):
    model_type = "pair_encoder"

    def __init__(self, dim=12, tau=0.07, **kwargs):
        self.dim, self.tau = dim, tau
        super().__init__(**kwargs)


class PairEncoder(PreTrainedModel):
    config_class = PairConfig
    main_input_name = "left"

    def __init__(self, config):
        super().__init__(config)
        self.left, self.right = nn.Linear(8, config.dim), nn.Linear(6, config.dim)
        self.logit_scale = nn.Parameter(torch.tensor(math.log(1 / config.tau)))
        log.info("temperature %.3f", config.tau)
        self.post_init()

    def forward(self, left, right):
        a = nn.functional.normalize(self.left(left), dim=-1)
        b = nn.functional.normalize(self.right(right), dim=-1)
        return self.logit_scale.exp() * a @ b.T
