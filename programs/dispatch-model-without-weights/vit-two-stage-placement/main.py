import logging
import sys
from pathlib import Path

import torch
from accelerate import dispatch_model, init_empty_weights, load_checkpoint_and_dispatch
from accelerate.utils import get_balanced_memory, infer_auto_device_map
from transformers import ViTConfig, ViTForImageClassification

log = logging.getLogger("tagger")


class Tagger:
    """empty -> placed -> loaded, in this order, so that memory is never used twice"""

    def __init__(self, folder: Path):
        self.folder = folder
        config = ViTConfig.from_pretrained(folder)
        with init_empty_weights():
            self.model = ViTForImageClassification(config)

    def place(self):
        memory = get_balanced_memory(self.model, max_memory={"cpu": "1GB"})
        device_map = infer_auto_device_map(self.model, max_memory=memory)
        log.info("placing on %s", set(device_map.values()))
        self.model = dispatch_model(self.model, device_map=device_map)

    def load(self):
        log.info("loading %s", self.folder)
        weights = str(self.folder / "model.safetensors")
        self.model = load_checkpoint_and_dispatch(self.model, weights, device_map={"": "cpu"})
        self.model.eval()

    @torch.no_grad()
    def tag(self, image):
        return self.model(image[None]).logits.argmax().item()


def fetch(folder):
    torch.manual_seed(10)
    config = ViTConfig(
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        image_size=16,
        patch_size=4,
        num_labels=6,
    )
    model = ViTForImageClassification(config).eval()
    model.save_pretrained(folder)
    return model


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(name)s | %(message)s")
    folder = Path("vit-tags")
    plain = fetch(folder)
    image = torch.rand(3, 16, 16)
    tagger = Tagger(folder)
    tagger.place()
    tagger.load()
    tag = tagger.tag(image)
    log.info("tag %d", tag)
    assert tag == plain(image[None]).logits.argmax().item()
