"""Port of a GPT, taken over from another repository as it is."""

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class PortConfig(PretrainedConfig):
    model_type = "ported-gpt"

    def __init__(self, vocab_size=1, width=1, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size, self.width = vocab_size, width


class CausalMixing(nn.Linear):
    def __init__(self, width, longest=64):
        super().__init__(width, width)
        self.register_buffer("mask", torch.tril(torch.ones(longest, longest)), persistent=False)

    def forward(self, x):
        mask = self.mask[: len(x), : len(x)]
        return super().forward(mask @ x / mask.sum(-1, keepdim=True))


class PortedGPT(PreTrainedModel):
    config_class = PortConfig

    def __init__(self, config):
        super().__init__(config)
        self.words = nn.Embedding(config.vocab_size, config.width)
        self.mixing = CausalMixing(config.width)
        self.out = nn.Linear(config.width, config.vocab_size, bias=False)
        self.post_init()

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            module.weight.data.normal_(std=0.02)
            if module.bias is not None:
                module.bias.data.zero_()
        elif isinstance(module, nn.Embedding):
            module.weight.data.normal_(std=0.02)
        if isinstance(module, CausalMixing):
            module.mask.data.copy_(torch.tril(torch.ones_like(module.mask)))

    def forward(self, ids):
        x = self.words(ids)
        return self.out(x + self.mixing(x))
