"""Save and load a custom model whose buffer is computed in __init__ and kept out of the checkpoint."""

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


# code
class Decay(PreTrainedModel):
    config_class = PretrainedConfig

    def __init__(self, config):
        super().__init__(config)
        self.proj = nn.Linear(64, 64)
        self.register_buffer("decay", 0.9 ** torch.arange(64), persistent=False)
        self.post_init()

    def forward(self, x):
        return self.proj(x) * self.decay


model = Decay(PretrainedConfig()).eval()
model.save_pretrained("decay")
loaded = Decay.from_pretrained("decay")
x = torch.randn(2, 64)

# goal
assert torch.allclose(loaded(x), model(x), atol=1e-5)
