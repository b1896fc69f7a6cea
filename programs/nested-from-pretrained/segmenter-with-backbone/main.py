"""Segment tiles; one JSON line per event, as the log collector wants it."""

import json
import logging
import sys
import traceback

import torch
from segmenter import Segmenter, release


class JsonLines(logging.Formatter):
    def format(self, record):
        entry = {"level": record.levelname, "logger": record.name, "message": record.getMessage()}
        if record.exc_info:
            entry["exception"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(entry)


def setup():
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    return logging.getLogger("segmenter")


def main():
    log = setup()
    reference = release("segmenter-release", backbone="backbone-vit")
    try:
        model = Segmenter.from_pretrained("segmenter-release").eval()
    except Exception:
        log.exception("model could not be opened")
        return 1
    tile = torch.rand(1, 3, 16, 16, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        mask = model(tile)
        assert torch.allclose(mask, reference(tile), atol=1e-5)
    log.info("classes %s", mask.argmax(-1).unique().tolist())
    return 0


if __name__ == "__main__":
    sys.exit(main())
