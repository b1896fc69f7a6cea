import itertools

import torch
from accelerate import init_empty_weights
from minitrainer import Trainer
from torch import nn
from transformers import AutoConfig, AutoModel, CLIPVisionConfig, CLIPVisionModel


class LinearProbe(nn.Module):
    """Frozen CLIP image tower and a trained linear layer."""

    def __init__(self, backbone, classes):
        super().__init__()
        config = AutoConfig.from_pretrained(backbone)
        with init_empty_weights():
            self.backbone = AutoModel.from_config(config)
        self.backbone.requires_grad_(False)
        self.head = nn.Linear(config.hidden_size, classes)

    def forward(self, pixels):
        with torch.no_grad():
            features = self.backbone(pixel_values=pixels).pooler_output
        return self.head(features)

    def training_step(self, batch, step):
        pixels, target = batch
        return nn.functional.cross_entropy(self(pixels), target)

    def configure_optimizers(self):
        return torch.optim.SGD(self.head.parameters(), lr=0.1)


def main():
    torch.manual_seed(1)
    config = CLIPVisionConfig(
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        image_size=16,
        patch_size=8,
    )
    CLIPVisionModel(config).save_pretrained("clip-tower")
    batch = (torch.rand(16, 3, 16, 16), torch.randint(0, 3, (16,)))
    losses = Trainer(max_steps=20).fit(LinearProbe("clip-tower", 3), itertools.repeat(batch))
    print("loss", losses[0], "->", losses[-1])
    assert losses[-1] < losses[0]


if __name__ == "__main__":
    main()
