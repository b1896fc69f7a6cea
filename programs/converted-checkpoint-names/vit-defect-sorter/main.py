"""sort.py: puts pictures of parts into good and defect."""

import logging
from dataclasses import dataclass
from pathlib import Path

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from transformers import ViTConfig, ViTForImageClassification

logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(message)s", datefmt="%H:%M")
LABELS = {0: "good", 1: "defect"}


@dataclass
class Settings:
    folder: Path = Path("finetuned")
    side: int = 16
    device: str = "cpu"


def finetuned(settings):
    """Stands for the run that trained the sorter."""
    torch.manual_seed(11)
    config = ViTConfig(
        image_size=settings.side,
        patch_size=8,
        num_channels=1,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        id2label=LABELS,
    )
    net = ViTForImageClassification(config).eval()
    net.save_pretrained(settings.folder)
    return net


class Sorter:
    def __init__(self, settings):
        config = ViTConfig.from_pretrained(settings.folder)
        with init_empty_weights():
            empty = ViTForImageClassification(config)
        logging.info("loading %s", settings.folder)
        self.net = load_checkpoint_and_dispatch(
            empty, checkpoint=str(settings.folder), device_map={"": settings.device}
        )
        self.net.eval()

    def __call__(self, batch):
        with torch.no_grad():
            scores = self.net(pixel_values=batch).logits.softmax(-1)
        return scores


def main():
    settings = Settings()
    trained = finetuned(settings)
    sorter = Sorter(settings)
    batch = torch.rand(3, 1, settings.side, settings.side, generator=torch.Generator().manual_seed(2))
    scores = sorter(batch)
    for row in scores:
        print(LABELS[int(row.argmax())], f"{row.max():.2f}")
    torch.testing.assert_close(scores, trained(pixel_values=batch).logits.softmax(-1).detach())


main()
