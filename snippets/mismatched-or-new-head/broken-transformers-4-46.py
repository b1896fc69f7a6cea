"""Fine-tune an image classifier for another number of labels, with a device_map."""

import torch
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
model = ViTForImageClassification.from_pretrained(
    "checkpoint", num_labels=5, ignore_mismatched_sizes=True, device_map={"": "cpu"}
)

# goal
logits = model(image).logits
assert logits.shape == (1, 5)
assert logits.abs().max() < 10
