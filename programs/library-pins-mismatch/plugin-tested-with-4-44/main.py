"""Caption plugin: load the tagger once, answer requests from the queue."""

import argparse
import logging
from importlib.metadata import version
from pathlib import Path

import torch
from tagger_net import TaggerConfig, TaggerModel

log = logging.getLogger("caption_plugin")
TESTED = {"transformers": "4.44.2", "accelerate": "0.33.0"}


def check_releases():
    for name, tested in TESTED.items():
        found = version(name)
        if found.split(".")[0] != tested.split(".")[0]:
            log.warning("%s %s found, this plugin was tested with %s", name, found, tested)


def prepare(folder: Path):
    if folder.exists():
        return
    torch.manual_seed(11)
    TaggerModel(TaggerConfig()).save_pretrained(folder)
    log.info("wrote starter weights to %s", folder)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", type=Path, default=Path("tagger-small"))
    ap.add_argument("--batch", type=int, default=2)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s [%(name)s] %(levelname)s %(message)s")
    check_releases()
    prepare(args.weights)
    model = TaggerModel.from_pretrained(args.weights).eval()
    with torch.no_grad():
        tags = model(torch.ones(args.batch, 3, 16, 16))
    assert tags.shape == (args.batch, 10)
    log.info("tags %s", tags.argmax(-1).tolist())


if __name__ == "__main__":
    main()
