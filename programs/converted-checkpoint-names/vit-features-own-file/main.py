"""features.py: one vector for each picture, for the search index."""

import logging
import sys

import torch
from accelerate import init_empty_weights
from accelerate.utils import load_checkpoint_in_model
from transformers import ViTConfig, ViTModel

logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s [%(name)s] %(message)s")
CONFIG = ViTConfig(
    image_size=8,
    patch_size=4,
    num_channels=3,
    hidden_size=8,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=16,
)


def publish(folder):
    torch.manual_seed(77)
    model = ViTModel(CONFIG, add_pooling_layer=False).eval()
    model.save_pretrained(folder)
    return model


class Extractor:
    def __init__(self, checkpoint, device):
        self.device = torch.device(device)
        with init_empty_weights():
            self.model = ViTModel(CONFIG, add_pooling_layer=False)
        load_checkpoint_in_model(self.model, checkpoint, device_map={"": device})
        self.model.to(self.device).eval()

    @torch.no_grad()
    def __call__(self, pictures):
        hidden = self.model(pictures.to(self.device)).last_hidden_state
        return torch.nn.functional.normalize(hidden[:, 0], dim=-1)


def main():
    original = publish("published")
    extract = Extractor("published", sys.argv[1] if len(sys.argv) > 1 else "cpu")
    pictures = torch.rand(4, 3, 8, 8, generator=torch.Generator().manual_seed(6))
    vectors = extract(pictures)
    print("indexed", len(vectors), "pictures,", vectors.shape[1], "numbers each")
    hidden = original(pictures).last_hidden_state[:, 0]
    torch.testing.assert_close(vectors, torch.nn.functional.normalize(hidden, dim=-1).detach())


if __name__ == "__main__":
    main()
