"""Tag every image of a folder. Usage: main.py [--gpu N]; N = -1 is the CPU."""

import argparse
import csv
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from transformers import (
    AutoModelForImageClassification,
    ResNetConfig,
    ResNetForImageClassification,
    ViTImageProcessor,
    pipeline,
)


def demo(folder, model_dir):
    torch.manual_seed(6)
    config = ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic", num_labels=3
    )
    ResNetForImageClassification(config).save_pretrained(model_dir)
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(0)
    for name in ("a", "b", "c"):
        Image.fromarray(rng.integers(0, 255, (40, 40, 3), dtype=np.uint8)).save(folder / f"{name}.png")


def tagger(model_dir, gpu):
    model = AutoModelForImageClassification.from_pretrained(model_dir)
    processor = ViTImageProcessor(size={"height": 32, "width": 32})
    return pipeline("image-classification", model=model, image_processor=processor, device=gpu)


def main():
    cli = argparse.ArgumentParser(description=__doc__)
    cli.add_argument("--folder", type=Path, default=Path("photos"))
    cli.add_argument("--gpu", type=int, default=-1)
    args = cli.parse_args()
    demo(args.folder, "tagger-model")
    files = sorted(str(path) for path in args.folder.glob("*.png"))
    tag = tagger("tagger-model", args.gpu)
    with open("tags.csv", "w", newline="") as handle:
        rows = csv.writer(handle)
        for file, found in zip(files, tag(files), strict=True):
            rows.writerow([file, found[0]["label"], f"{found[0]['score']:.3f}"])
    print(Path("tags.csv").read_text(), end="")
    assert len(Path("tags.csv").read_text().splitlines()) == 3


if __name__ == "__main__":
    main()
