"""Load a model of one's own whose constructor reads one of its own parameters."""

import torch
from safetensors.torch import load_file
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class TinyConfig(PretrainedConfig):
    model_type = "tiny-encoder"


# code
class TinyEncoder(PreTrainedModel):
    config_class = TinyConfig

    def __init__(self, config):
        super().__init__(config)
        self.gain = nn.Parameter(torch.tensor(0.5))
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))
        self.rates = [self.gain.item()] * 3
        self.post_init()

    def forward(self, x):
        for layer, rate in zip(self.layers, self.rates):
            x = x + rate * layer(x)
        return x


torch.manual_seed(0)
trained, x = TinyEncoder(TinyConfig()), torch.randn(2, 4)
trained.save_pretrained("checkpoint")

model = TinyEncoder(TinyConfig.from_pretrained("checkpoint"))
model.load_state_dict(load_file("checkpoint/model.safetensors"))

# goal
assert torch.equal(model(x), trained(x))
