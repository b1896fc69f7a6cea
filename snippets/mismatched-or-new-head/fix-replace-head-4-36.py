"""Fine-tune an image classifier for another number of labels."""

import torch
from torch import nn
from transformers import ViTConfig, ViTForImageClassification

config = ViTConfig(
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    image_size=8,
    patch_size=4,
)
trained, image = ViTForImageClassification(config), torch.randn(1, 3, 8, 8)
trained.save_pretrained("checkpoint")

# code
model = ViTForImageClassification.from_pretrained("checkpoint")
model.classifier = nn.Linear(32, 5)
model.config.num_labels = model.num_labels = 5

# goal
assert model(image).logits.shape == (1, 5)
assert 0.005 < model.classifier.weight.std() < 0.2
