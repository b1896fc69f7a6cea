import torch
from torch import nn
from transformers import ViTConfig, ViTModel, ViTPreTrainedModel


class LayerScale(nn.Module):
    def __init__(self, dim, value=0.1):
        super().__init__()
        self.value = value
        self.gain = nn.Parameter(torch.full((dim,), value))

    def forward(self, x):
        return x * self.gain


class ScaledViT(ViTPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.vit = ViTModel(config, add_pooling_layer=False)
        self.scale = LayerScale(config.hidden_size)
        self.species = nn.Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def _init_weights(self, module):
        super()._init_weights(module)
        if isinstance(module, LayerScale):
            nn.init.constant_(module.gain, module.value)

    def forward(self, pixels):
        return self.species(self.scale(self.vit(pixels).last_hidden_state[:, 0]))


def plain_checkpoint(folder):
    torch.manual_seed(47)
    config = ViTConfig(
        hidden_size=24,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        image_size=16,
        patch_size=8,
    )
    ViTModel(config, add_pooling_layer=False).save_pretrained(folder)
